import { moveSentences } from '../../wire/present-source'
import type { CheckedPiece, Checker, CheckResult, CitedSource } from '../check'
import type { TurnEvent } from '../events'
import type { TurnPorts } from '../run-turn'
import { createReplySanitizer } from '../sanitize-reply'
import type { TurnRequest } from '../turn'
import { Looping } from './looping'
import { type MeantContext, MeantWords } from './meant-words'
import { Verifying } from './verifying'

/** What the model writes on its way to the listeners: checked, decided where the rules leave it open, made safe to show. */
export class SpokenReply {
  /** What the listeners have got. */
  text: string
  /** What the model wrote for the user. */
  heard = ''
  /** All that it wrote. */
  #raw = ''
  readonly checker: Checker
  readonly #verify: TurnPorts['verify']
  readonly #verifying: Verifying
  readonly #request: TurnRequest
  readonly #sanitizer: ReturnType<typeof createReplySanitizer>
  readonly #begin: number
  readonly #context: MeantContext
  readonly #words: MeantWords
  readonly #looping = new Looping()
  /** Where the text goes round in circles: so much of what was heard says something. */
  #keep: number | null = null

  constructor(
    checker: Checker,
    verify: TurnPorts['verify'],
    request: TurnRequest,
    context: MeantContext,
    before: Pick<SpokenReply, 'text'> | null = null,
  ) {
    this.checker = checker
    this.#verify = verify
    this.#verifying = new Verifying(verify, checker)
    this.#request = request
    this.#sanitizer = createSanitizer(request)
    this.text = before?.text ?? ''
    this.#begin = this.text.length
    this.#context = context
    this.#words = new MeantWords(context)
  }

  *hear(text: string): Generator<TurnEvent> {
    this.#raw += text
    yield* this.#hearWords(this.#words.push(text))
  }

  /** Nothing more is to be waited for, whatever the model goes on to write. */
  get isOver(): boolean {
    return this.#words.over || this.#keep !== null
  }

  /** The model has ended: what was held is heard, and a text that went round in circles is shown once. */
  *rest(): Generator<TurnEvent, SpokenReply> {
    yield* this.#hearWords(this.#words.end())
    if (this.#keep === null) return this
    const kept = this.#anew()
    const said = [...kept.#hearWords(this.heard.slice(0, this.#keep))]
    yield* this.#replaceBy(kept, said)
    return kept
  }

  /**
   * What is still open is decided, and the last of the reply shown.
   * @param cut whether the model was cut off: half a sentence at the end says nothing
   */
  async *conclude(cut: boolean): AsyncGenerator<TurnEvent, CheckResult> {
    yield* this.#say(this.checker.close(cut))
    yield* this.#say(yield* this.#verifying.finish())
    const result = this.checker.end()
    yield* this.#say(result.pieces)
    yield* this.#show(this.#sanitizer.end())
    return { ...result, cited: this.#placed(result.cited) }
  }

  /** A second attempt at the same question, behind what was shown. */
  again(): SpokenReply {
    return this.#after(this)
  }

  /** The last characters were thought, not said: the reply without them, checked and shown anew. */
  *takeBack(chars: number): Generator<TurnEvent, SpokenReply> {
    const kept = this.#anew()
    const said = [...kept.hear(this.#raw.slice(0, this.#raw.length - chars))]
    yield* this.#replaceBy(kept, said)
    return kept
  }

  #anew(): SpokenReply {
    return this.#after({ text: this.text.slice(0, this.#begin) })
  }

  #after(before: Pick<SpokenReply, 'text'>): SpokenReply {
    const again = this.checker.again()
    return new SpokenReply(again, this.#verify, this.#request, this.#context, before)
  }

  *#replaceBy(kept: SpokenReply, said: readonly TurnEvent[]): Generator<TurnEvent> {
    if (this.text.length > this.#begin) yield { type: 'replace', text: kept.text }
    else yield* said
  }

  *#hearWords(words: string): Generator<TurnEvent> {
    if (words === '' || this.#keep !== null) return
    this.heard += words
    this.#keep = this.#looping.push(words)
    yield* this.#say(this.checker.push(words))
    yield* this.#say(this.#verifying.listen(this.text === ''))
  }

  *#say(pieces: readonly CheckedPiece[]): Generator<TurnEvent> {
    // What is decided together is shown together.
    yield* this.#show(pieces.map(({ text }) => this.#sanitizer.push(text)).join(''))
  }

  *#show(text: string): Generator<TurnEvent> {
    if (text === '') return
    this.text += text
    yield { type: 'token', text }
  }

  #placed(cited: readonly CitedSource[]): CitedSource[] {
    return moveSentences(cited, (offset) => this.#begin + this.#sanitizer.placeOf(offset))
  }
}

const createSanitizer = ({ origin }: Pick<TurnRequest, 'origin'>) =>
  createReplySanitizer({ imagePrefixes: origin === '' ? [] : [`${origin}/`] })

/** A whole text made as safe to show as a reply. */
export function sanitize(request: Pick<TurnRequest, 'origin'>, text: string): string {
  const sanitizer = createSanitizer(request)
  return sanitizer.push(text) + sanitizer.end()
}
