import { describe, expect, it } from 'vitest'
import type { TurnOutcome } from '../../../src/chat/run-turn'
import { NO_USAGE } from '../../../src/chat/spent-tokens'
import type { TurnSteps } from '../../../src/chat/steps/step'
import { StopSequences } from '../../../src/chat/stop-sequences'
import { passage } from '../../support/passages'
import { runToEnd, turnRequest } from '../../support/turns'

/** What is given of a text that comes in parts of one size. */
function given(text: string, sequences: readonly string[], size: number) {
  const stop = new StopSequences(sequences)
  let said = ''
  for (let at = 0; at < text.length; at += size) said += stop.push(text.slice(at, at + size))
  return { said: said + stop.end(), found: stop.found }
}

describe('stop sequences', () => {
  it.each([
    ['one two three', ['two'], 'one '],
    ['one two three', ['four'], 'one two three'],
    ['one two three', ['three', 'two'], 'one '],
    ['a\n\nb\n\nc', ['\n\n'], 'a'],
    ['END of it', ['END'], ''],
    ['it ends with EN', ['END'], 'it ends with EN'],
    ['aaab', ['aab'], 'a'],
    // The one that is complete first: the model would have stopped there.
    ['xabcd', ['abcd', 'b'], 'xa'],
    ['xabc', ['bc', 'abc'], 'x'],
    ['Ja 😀 nein', ['😀'], 'Ja '],
    ['STOP STOP', ['STOP'], ''],
  ])('ends %j before the first of %j, however it is cut', (text, sequences, said) => {
    for (let size = 1; size <= text.length; size++)
      expect(given(text, sequences, size)).toEqual({ said, found: said !== text })
  })

  it('gives what can be no part of one at once', () => {
    const stop = new StopSequences(['\nUser:'])
    expect(stop.push('Hello.\n')).toBe('Hello.')
    expect(stop.push('More. ')).toBe('\nMore. ')
  })
})

const CITED = [1, 2].map((n) => ({
  n,
  passage: passage(n, `Part ${n}.`),
  quote: `Part ${n}.`,
  start: 0,
  end: 7,
  spans: [
    {
      quote: `Part ${n}.`,
      start: 0,
      end: 7,
      sentences: [{ start: (n - 1) * 12, end: (n - 1) * 12 + 7 }],
    },
  ],
}))
const REPLY = 'Part 1. [1] Part 2. [2]'

/** A turn whose reply is told in the given events, and ends at its limit. */
const telling = (events: readonly { type: 'token' | 'replace'; text: string }[]): TurnSteps => ({
  before: [],
  after: [],
  async *answer() {
    yield* events
    return {
      reply: REPLY,
      finishReason: 'length',
      cited: CITED,
      model: 'scripted',
      usage: NO_USAGE,
      unsourced: [],
      closest: [],
    } satisfies TurnOutcome
  },
})
const parts = REPLY.match(/.{1,3}/gu)?.map((text) => ({ type: 'token' as const, text })) ?? []

describe('a turn with stop sequences', () => {
  it('tells, keeps and cites what stands before them', async () => {
    const request = turnRequest({ stop: ['t 2'] })
    const { events, outcome } = await runToEnd(telling(parts), { request })
    expect(events.map((event) => ('text' in event ? event.text : '')).join('')).toBe(
      'Part 1. [1] Par',
    )
    expect(outcome).toMatchObject({ reply: 'Part 1. [1] Par', finishReason: 'stop' })
    expect(outcome.cited.map(({ n }) => n)).toEqual([1])
    expect(outcome.cited[0]?.spans[0]?.sentences).toEqual([{ start: 0, end: 7 }])
  })

  it('is as any other where none comes', async () => {
    const request = turnRequest({ stop: ['Part 3'] })
    const { events, outcome } = await runToEnd(telling(parts), { request })
    expect(events.map((event) => ('text' in event ? event.text : '')).join('')).toBe(REPLY)
    expect(outcome).toMatchObject({ reply: REPLY, finishReason: 'length', cited: CITED })
  })

  it('looks anew where a text takes the place of what was told', async () => {
    const request = turnRequest({ stop: ['. [2]', 'wrong'] })
    const { events, outcome } = await runToEnd(
      telling([
        { type: 'token', text: 'It is wrong.' },
        { type: 'replace', text: 'Part 1.' },
        { type: 'token', text: ' [1] Part 2. [2]' },
      ]),
      { request },
    )
    expect(events).toEqual([
      { type: 'token', text: 'It is ' },
      { type: 'replace', text: 'Part 1' },
      { type: 'token', text: '. [1] Part 2' },
    ])
    expect(outcome.reply).toBe('Part 1. [1] Part 2')
  })
})
