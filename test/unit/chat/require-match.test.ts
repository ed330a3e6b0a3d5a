import { describe, expect, it, vi } from 'vitest'
import type { AgentFacts } from '../../../src/agents/resolve-agent'
import { NO_USAGE } from '../../../src/chat/spent-tokens'
import { isMatched, requireMatch } from '../../../src/chat/steps/require-match'
import type { Turn } from '../../../src/chat/steps/step'
import type { ToolDefinition } from '../../../src/mcp/types'
import { SKILL_DEFAULTS } from '../../../src/skills/schema'
import { PassageReadings } from '../../../src/text/passage-reading'
import { IDF, passage } from '../../support/passages'
import { GUIDES, runToEnd, turnRequest, unspoken } from '../../support/turns'

const LOOK_UP: ToolDefinition = {
  name: 'look_up',
  description: '',
  notes: '',
  schema: {},
  hash: '',
}

const server = (tools: ToolDefinition[] | null): AgentFacts['mcp'] => [
  {
    id: 'server-1',
    name: 'orders',
    formerNames: [],
    transport: 'streamable_http',
    url: 'https://orders.example/mcp',
    headers: null,
    era: null,
    confirm: [],
    tools,
    references: ['mcp:orders'],
  },
]
const skill = (tools: string[]): AgentFacts['skills'] => [
  { ...SKILL_DEFAULTS, name: 'orders', tools },
]

/** What a turn comes to in which nothing was found: whether the model was asked. */
async function meetsModel(
  agent: Partial<AgentFacts>,
  model = unspoken(),
  message = 'Where is order 7?',
): Promise<boolean> {
  let asked = false
  const { outcome } = await runToEnd(
    {
      before: [requireMatch],
      after: [],
      async *answer() {
        asked = true
        yield* []
        return { ...NOTHING, finishReason: 'stop' }
      },
    },
    {
      request: turnRequest({
        agent: { bases: [GUIDES], ...agent },
        config: { grounding_required: true },
        message,
      }),
    },
    model,
  )
  expect(outcome.finishReason).toBe(asked ? 'stop' : 'no_match')
  return asked
}

const NOTHING = {
  reply: '',
  cited: [],
  model: 'scripted',
  usage: NO_USAGE,
  unsourced: [],
  closest: [],
}

describe('the gate, with nothing found', () => {
  it('lets thanks pass with a remark that no passage speaks of', async () => {
    expect(await meetsModel({}, unspoken(), 'Thanks, Priya, you rock!')).toBe(true)
    expect(await meetsModel({}, unspoken(), 'Thanks, where is Priya?')).toBe(false)
  })

  it.each<[string, Partial<AgentFacts>, boolean]>([
    ['no tools', {}, false],
    ['a remote server with a tool', { mcp: server([LOOK_UP]) }, true],
    ['a remote server that was never asked', { mcp: server(null) }, true],
    ['a remote server without a tool to use', { mcp: server([]) }, false],
    ['a skill that brings a tool', { skills: skill(['current_time']) }, true],
    ['a skill of words alone', { skills: skill([]) }, false],
    ['tools, and no base left', { bases: [], mcp: server([LOOK_UP]) }, true],
  ])('an agent with %s', async (_name, agent, asked) => {
    expect(await meetsModel(agent)).toBe(asked)
  })

  it('is shut for a model that calls no remote tool, whatever is offered', async () => {
    const offline = unspoken({ reads: 'facts' })
    expect(await meetsModel({ mcp: server([LOOK_UP]) }, offline)).toBe(false)
  })
})

it('what was found is judged once for a question, whichever steps ask', () => {
  const readings = new PassageReadings()
  const reads = vi.spyOn(readings, 'of')
  const hits = [passage(1, 'Refunds take five working days.')]
  const found = { hits, idf: IDF, coverage: 1, cosine: null, embedder: null }
  const turn = { question: 'How long do refunds take?', context: '', results: [found], readings }
  const ask = (change: Partial<Turn> = {}) => isMatched({ ...turn, ...change } as Turn)

  expect([ask(), ask()]).toEqual([true, true])
  expect(reads).toHaveBeenCalledTimes(1)
  expect(ask({ question: 'Who sells violins?' })).toBe(false)
  expect(ask({ results: [{ ...found, hits: [] }] })).toBe(false)
})
