import { describe, expect, it, vi } from 'vitest'
import type { AgentConfig } from '../../../src/agents/schema'
import type { CitedSource } from '../../../src/chat/check'
import { NO_USAGE } from '../../../src/chat/spent-tokens'
import { showCall, thinkOfCall } from '../../../src/chat/steps/call-to-action'
import type { Turn } from '../../../src/chat/steps/step'
import { showFollowUps, suggestNext, thinkAhead } from '../../../src/chat/steps/suggest'
import { firstThree, headingsNear, readSuggestions } from '../../../src/chat/suggest'
import { IDF, passage } from '../../support/passages'
import { GUIDES, runToEnd, turnRequest, unspoken } from '../../support/turns'

const cite = (of: CitedSource['passage']): CitedSource => ({
  n: of.n,
  passage: of,
  quote: of.text,
  start: 0,
  end: 1,
  spans: [],
})

describe('what a model proposes', () => {
  const READ: [string, string, string[]][] = [
    ['an array', '["One?", "Two?"]', ['One?', 'Two?']],
    ['a fenced array', '```json\n["One?"]\n```', ['One?']],
    ['an object around it', '{"questions": ["One?", 7, null]}', ['One?']],
    ['numbered lines', '1. One?\n2) 两个？\n- هل؟', ['One?', '两个？', 'هل؟']],
    ['broken JSON', '["One?", "Two', []],
    ['prose', 'Here are three questions.\nOf course', []],
    ['nothing', '', []],
    ['null', 'null', []],
    ['an essay', JSON.stringify([`${'long '.repeat(20)}?`, 'Short?']), ['Short?']],
    ['a link', '["See https://evil.example?", "[x](y)?", "<b>Bold?</b>", "Fine?"]', ['Fine?']],
    ['hidden signs', '["A\\u202eB?", "Two\\nlines?"]', ['Two lines?']],
    ['ten of them', JSON.stringify([...'abcdefghij']), [...'abcdef']],
  ]
  it.each(READ)('is read from %s', (_name, text, expected) => {
    expect(readSuggestions(text)).toEqual(expected)
  })
})

describe('headings near what is cited', () => {
  const at = (n: number, heading: string | null, documentId: string) =>
    passage(n, 'Some text.', { heading, documentId })
  const cited = at(1, 'Guide › Refunds', 'a')

  it('are those of other passages, the same document first, by their last step', () => {
    const found = [
      cited,
      at(2, 'Guide › Parcels', 'b'),
      at(3, 'Guide › Exchanges', 'a'),
      at(4, null, 'a'),
      { ...at(5, null, 'c'), title: 'Gift cards' },
      { ...at(6, null, 'd'), title: 'notes.md' },
    ]
    expect(headingsNear([cite(cited)], found, 'en')).toEqual(['Exchanges', 'Parcels', 'Gift cards'])
  })

  it('are none without a cited passage, in another language, or where they cannot be shown', () => {
    expect(headingsNear([], [cited], 'en')).toEqual([])
    const found = [
      at(2, '如何退货？', 'a'),
      at(3, 'x'.repeat(81), 'a'),
      at(4, 'See http://a.example', 'a'),
    ]
    expect(headingsNear([cite(cited)], found, 'en')).toEqual([])
    expect(headingsNear([cite(cited)], found, 'zh-TW')).toEqual(['如何退货？'])
  })
})

it('keeps three that differ from one another and from what was asked', () => {
  expect(firstThree(['When?', 'when', 'WHERE?', 'Who?', 'Why?', 'How?'], 'where')).toEqual([
    'When?',
    'Who?',
    'Why?',
  ])
})

describe('in a turn', () => {
  const OUTCOME = {
    reply: 'Within 14 days.',
    finishReason: 'stop' as const,
    cited: [],
    model: 'scripted',
    usage: NO_USAGE,
    unsourced: [],
    closest: [],
  }
  /** What the base holds. */
  const HELD = passage(1, 'A parcel weighs at most 20 kg.', { heading: 'Parcels' })
  let searched: string[] = []

  async function suggested(
    suggest: () => Promise<string[]>,
    config: Partial<AgentConfig> = { auto_suggest: true },
    outcome: Partial<typeof OUTCOME> = {},
    model = unspoken(),
  ) {
    searched = []
    const ports = {
      suggest,
      search: async (_base: string, query: string) => {
        searched.push(query)
        const found = { coverage: 0, cosine: null, embedder: null }
        return { hits: [HELD], idf: IDF, ...found }
      },
    }
    const ran = await runToEnd(
      {
        before: [thinkAhead(ports)],
        after: [suggestNext, showFollowUps],
        async *answer(turn) {
          turn.begun.resolve()
          await turn.suggested.catch(() => [])
          yield* []
          return { ...OUTCOME, ...outcome }
        },
      },
      { request: turnRequest({ agent: { bases: [GUIDES] }, config }) },
      model,
    )
    return [ran.outcome.suggestions ?? [], ran.events] as const
  }

  it('only what a base can answer is shown', async () => {
    const proposed = ['How heavy may a parcel be?', 'Who won the war of the roses?']
    const [shown, events] = await suggested(async () => proposed)
    expect(shown).toEqual(proposed.slice(0, 1))
    expect(searched).toEqual(proposed)
    expect(events).toEqual([{ type: 'suggestions', suggestions: shown, chips: [] }])
  })

  it('nobody is asked where the agent makes none, or its model reads no prompt', async () => {
    const fail = () => Promise.reject(new Error('asked'))
    expect(await suggested(fail, {})).toEqual([[], []])
    expect(await suggested(fail, undefined, {}, unspoken({ reads: 'facts' }))).toEqual([[], []])
  })

  it('nothing follows a reply that is no answer', async () => {
    const [shown] = await suggested(async () => ['How heavy may a parcel be?'], undefined, {
      finishReason: 'no_match' as 'stop',
    })
    expect(shown).toEqual([])
  })

  it('an answer that is done waits once for all that was thought of beside it', async () => {
    vi.useFakeTimers()
    const never = new Promise<never>(() => {})
    const ports = {
      suggest: () => never,
      search: async () => null,
      mayCall: () => true,
      callToAction: () => never,
    }
    const began = Date.now()
    const steps = {
      before: [thinkAhead(ports), thinkOfCall(ports)],
      after: [showCall(ports), suggestNext],
      async *answer(turn: Turn) {
        turn.begun.resolve()
        yield* []
        return OUTCOME
      },
    }
    const config = { auto_suggest: true, proactive_cta: true }
    const ran = runToEnd(steps, { request: turnRequest({ config }) }, unspoken())
    await vi.runAllTimersAsync()
    const { outcome } = await ran
    expect([outcome.cta, outcome.suggestions]).toEqual([undefined, undefined])
    expect(Date.now() - began).toBe(400)
    vi.useRealTimers()
  })
})
