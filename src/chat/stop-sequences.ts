import { moveSentences } from '../wire/present-source'
import type { CitedSource } from './check'
import type { TurnEvent } from './events'
import type { TurnOutcome } from './run-turn'

/**
 * Ends a reply before the first of the caller's stop sequences, as it is shown: what a check leaves out stops nothing. Of
 * several the one that is complete first counts, so it does not matter how the text is cut into parts.
 */
export class StopSequences {
  readonly #sequences: readonly string[]
  #text = ''
  #sent = 0
  #at: number | null = null

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences
  }

  /** The reply is complete, whatever is still written. */
  get found(): boolean {
    return this.#at !== null
  }

  /** @returns what is certainly no part of a sequence, and was not given before. */
  push(text: string): string {
    if (this.#at !== null) return ''
    const from = Math.max(0, this.#text.length - this.#longest())
    this.#text += text
    this.#at = this.#find(from)
    return this.#take(this.#at ?? this.#text.length - this.#begun())
  }

  /** The text so far was taken back, and another stands in its place. */
  restart(text: string): string {
    this.#text = ''
    this.#sent = 0
    this.#at = null
    return this.push(text)
  }

  /** No more text comes: what was held back is none of them. */
  end(): string {
    return this.#at === null ? this.#take(this.#text.length) : ''
  }

  #take(end: number): string {
    const ready = this.#text.slice(this.#sent, end)
    this.#sent += ready.length
    return ready
  }

  #longest(): number {
    return Math.max(0, ...this.#sequences.map(({ length }) => length))
  }

  #find(from: number): number | null {
    let first: { start: number; end: number } | null = null
    for (const sequence of this.#sequences) {
      const start = this.#text.indexOf(sequence, from)
      const end = start + sequence.length
      if (start < 0 || (first && (first.end < end || (first.end === end && first.start <= start))))
        continue
      first = { start, end }
    }
    return first?.start ?? null
  }

  /** How much of the end may be the beginning of one. */
  #begun(): number {
    for (let length = Math.min(this.#longest() - 1, this.#text.length); length > 0; length--) {
      const end = this.#text.slice(-length)
      if (this.#sequences.some((sequence) => sequence.startsWith(end))) return length
    }
    return 0
  }
}

/** A turn of which listeners and the store get what stands before a stop sequence. */
export async function* untilStop(
  stop: StopSequences,
  turn: AsyncGenerator<TurnEvent, TurnOutcome>,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  let said = ''
  for (;;) {
    const step = await turn.next()
    if (step.done) {
      const text = stop.end()
      if (text !== '') yield { type: 'token', text }
      return stop.found ? cutTo(step.value, said.length) : step.value
    }
    const event = step.value
    if (event.type === 'token') {
      const text = stop.push(event.text)
      said += text
      if (text !== '') yield { type: 'token', text }
    } else if (event.type === 'replace') {
      said = stop.restart(event.text)
      yield { type: 'replace', text: said }
    } else yield event
  }
}

/** A source whose mark is gone is not cited. */
function cutTo(outcome: TurnOutcome, length: number): TurnOutcome {
  const reply = outcome.reply.slice(0, length)
  const cited = outcome.cited.filter(({ n }) => reply.includes(`[${n}]`))
  const finishReason = outcome.finishReason === 'length' ? 'stop' : outcome.finishReason
  return { ...outcome, reply, cited: withinLength(cited, length), finishReason }
}

const withinLength = (cited: readonly CitedSource[], length: number): CitedSource[] =>
  moveSentences(cited, (offset) => Math.min(offset, length)).map((source) => ({
    ...source,
    spans: source.spans.flatMap((span) => {
      const sentences = span.sentences.filter(({ start, end }) => start < end)
      return sentences.length === 0 ? [] : [{ ...span, sentences }]
    }),
  }))
