import { describe, expect, it } from 'vitest'
import type { AgentFacts } from '../../../src/agents/resolve-agent'
import { followStoryline } from '../../../src/chat/steps/follow-storyline'
import type { Turn } from '../../../src/chat/steps/step'
import type { GuidePorts } from '../../../src/chat/storyline/scene'
import type { LiveStoryline } from '../../../src/storylines/records'
import { NO_FACTS } from '../../../src/users/user-facts'

const LIVE: LiveStoryline = {
  id: 's1',
  revisionId: 'r1',
  isDefault: false,
  position: 0,
  start: { when: null, examples: [], offerCooldownDays: 30 },
  key: 'tour',
  name: 'Tour',
  displayName: 'Tour of the house',
  description: 'Shows the house.',
  entry: 'menu',
  trigger: 'manual',
  visibility: 'title',
  onComplete: 'return',
  concurrency: 'exclusive',
  allowExit: true,
  showProfile: false,
  allowAgentEnroll: false,
  nextStorylineId: null,
}

/** Runs the step and notes what it reached for. */
async function reached(storylines: LiveStoryline[] | undefined, message: string, shared = false) {
  const calls: string[] = []
  const note =
    <T>(name: string, value: T) =>
    () => {
      calls.push(name)
      return value
    }
  const ports = {
    storylines: {
      sessionId: 's',
      open: note('open', Promise.resolve([])),
      enter: note('enter', Promise.resolve([])),
      past: note('past', []),
      place: note('place', { firstMessage: true, firstContact: false }),
      story: note('story', Promise.resolve(null)),
      bases: note('bases', Promise.resolve([])),
      newId: () => 'id',
    },
    judge: note('judge', Promise.resolve(null)),
  } as unknown as GuidePorts
  const turn = {
    request: {
      agent: { id: 'a', storylines } as unknown as AgentFacts,
      caller: { shared },
      message,
      lang: 'en',
      now: 0,
      images: [],
      transcript: null,
      channel: 'api',
    },
    lang: 'en',
    history: [],
    model: { info: { reads: 'prompt' } },
    lookups: { profile: Promise.resolve(NO_FACTS) },
    storyline: null,
  } as unknown as Turn
  expect(await followStoryline(ports)(turn)).toBeNull()
  expect(turn.storyline).toBeNull()
  return calls
}

describe('a turn that no storyline is for', () => {
  it('reads nothing where the agent has none', async () => {
    expect(await reached(undefined, 'hello')).toEqual([])
    expect(await reached([], 'hello')).toEqual([])
  })

  it('reads nothing for a user whom several people share', async () => {
    expect(await reached([LIVE], 'Tour of the house', true)).toEqual([])
  })

  it('looks for what is open, and at nothing else, where none starts by itself', async () => {
    expect(await reached([LIVE], 'hello')).toEqual(['open'])
    const closed: LiveStoryline = { ...LIVE, entry: 'closed', trigger: 'first_contact' }
    expect(await reached([closed], 'hello')).toEqual(['open'])
  })

  it('asks no model where the message is not near what would start', async () => {
    const intent: LiveStoryline = { ...LIVE, entry: 'offer', trigger: 'intent' }
    expect(await reached([intent], 'bananas')).toEqual(['open'])
    expect(await reached([intent], 'Show me the house')).toEqual([
      'open',
      'past',
      'enter',
      'past',
      'judge',
    ])
  })

  it('reads only the place of the chat where a trigger wants another one', async () => {
    const contact: LiveStoryline = { ...LIVE, entry: 'auto', trigger: 'first_contact' }
    expect(await reached([contact], 'hello')).toEqual(['open', 'place'])
  })
})
