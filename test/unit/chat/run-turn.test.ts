import { describe, expect, it } from 'vitest'
import type { TurnOutcome } from '../../../src/chat/run-turn'
import { NO_USAGE } from '../../../src/chat/spent-tokens'
import { noticePictures } from '../../../src/chat/steps/notice-pictures'
import { offerClosest } from '../../../src/chat/steps/offer-closest'
import type { Addition, Step, TurnSteps } from '../../../src/chat/steps/step'
import { passage } from '../../support/passages'
import { runToEnd, turnRequest } from '../../support/turns'

const CITED = {
  n: 1,
  passage: passage(1, 'Five days.'),
  quote: 'Five days.',
  start: 0,
  end: 10,
  spans: [{ quote: 'Five days.', start: 0, end: 10, sentences: [{ start: 0, end: 10 }] }],
}
const ANSWERED: TurnOutcome = {
  reply: 'Five days.',
  finishReason: 'stop',
  cited: [CITED],
  model: 'scripted',
  usage: NO_USAGE,
  unsourced: [],
  closest: [],
}

/** A turn whose answer is always the same. */
const answering = ({ before = [], after = [] }: Partial<TurnSteps>): TurnSteps => ({
  before,
  after,
  async *answer() {
    yield { type: 'token', text: ANSWERED.reply }
    return ANSWERED
  },
})

/** Three abilities, each a function of its own: nothing else knows of them. */
const closedOnSundays: Step = ({ request }) =>
  new Date(request.now).getUTCDay() === 0
    ? { reply: 'We are closed on Sundays.', finishReason: 'stop' }
    : null
const announceSearch: Step = async function* (turn) {
  yield { type: 'status', stage: 'retrieving' }
  turn.passages = [passage(1, 'Five days.')]
  return null
}
const inviteToCall: Addition = async function* (_, outcome) {
  if (outcome.finishReason !== 'stop') return outcome
  const text = ' Call us.'
  yield { type: 'token', text }
  return { ...outcome, reply: outcome.reply + text }
}

const sunday = turnRequest({ now: Date.UTC(2026, 10, 22) })
const monday = turnRequest({ now: Date.UTC(2026, 10, 23) })
const picture = { mime: 'image/png', name: 'a.png', bytes: new Uint8Array() }

const wordsOf = (events: readonly object[]) =>
  events.map((event) => ('text' in event ? event.text : '')).join('')

describe('a turn as a list of steps', () => {
  it('a step ends the turn: neither the steps behind it nor the answer run', async () => {
    const never: Step = () => {
      throw new Error('a step behind an exit ran')
    }
    const steps = { ...answering({ before: [closedOnSundays, never] }), answer: never as never }
    const { events, outcome } = await runToEnd(steps, { request: sunday })
    expect(events).toEqual([{ type: 'token', text: 'We are closed on Sundays.' }])
    expect(outcome).toEqual({
      reply: 'We are closed on Sundays.',
      finishReason: 'stop',
      cited: [],
      model: 'scripted',
      usage: NO_USAGE,
      unsourced: [],
      closest: [],
    })
  })

  it('steps run in their order, tell the listeners, and leave what they learned to those behind', async () => {
    let seen = 0
    const look: Step = async (turn) => {
      seen = turn.passages.length
      return null
    }
    const { events, outcome } = await runToEnd(
      answering({ before: [closedOnSundays, announceSearch, look] }),
      { request: monday },
    )
    expect(seen).toBe(1)
    expect(events.map(({ type }) => type)).toEqual(['status', 'token'])
    expect(outcome).toEqual(ANSWERED)
  })

  it('an addition comes behind an answer, as the listeners hear it', async () => {
    const steps = answering({ before: [closedOnSundays], after: [inviteToCall, offerClosest] })
    const { events, outcome } = await runToEnd(steps, { request: monday })
    expect(outcome).toEqual({ ...ANSWERED, reply: 'Five days. Call us.' })
    expect(wordsOf(events)).toBe(outcome.reply)
  })

  it('additions see exits too, and what earlier additions made of them', async () => {
    const nothing: Step = () => ({ reply: 'Nothing fits.', finishReason: 'no_match' })
    const seen: string[] = []
    const look: Addition = (_, outcome) => {
      seen.push(...outcome.closest.map((document) => document.title))
      return outcome
    }
    const { outcome } = await runToEnd(
      answering({ before: [announceSearch, nothing], after: [inviteToCall, offerClosest, look] }),
    )
    expect(outcome.reply).toBe('Nothing fits.')
    expect(outcome.closest).toEqual([
      { document_id: 'document-1', title: 'Guide 1', heading: null },
    ])
    expect(seen).toEqual(['Guide 1'])
  })

  it('a preface stands before the reply, and the cited sentences move with it', async () => {
    const { events, outcome } = await runToEnd(
      answering({ before: [noticePictures, announceSearch] }),
      { request: turnRequest({ images: [picture] }) },
    )
    expect(wordsOf(events)).toBe(outcome.reply)
    const [place] = outcome.cited.flatMap(({ spans }) => spans.flatMap((span) => span.sentences))
    expect(outcome.reply.slice(place?.start, place?.end)).toBe('Five days.')
    expect(outcome.reply.endsWith('\n\nFive days.')).toBe(true)
  })

  it('pictures alone, to a model that sees none, are answered by a step', async () => {
    const request = turnRequest({ message: ' ', images: [picture] })
    const { outcome } = await runToEnd(answering({ before: [noticePictures] }), { request })
    expect(outcome.finishReason).toBe('stop')
    expect(outcome.cited).toEqual([])
  })
})
