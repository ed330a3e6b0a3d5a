import { moveSentences } from '../../wire/present-source'
import type { CheckedPiece, Checker, CheckResult, CitedSource } from '../check'
import type { TurnEvent } from '../events'
import type { TurnPorts } from '../run-turn'
import { createReplySanitizer } from '../sanitize-reply'
import type { TurnRequest } from '../turn'
import { Verifying } from './verifying'

/** What the model writes on its way to the listeners: checked, decided where the rules leave it open, made safe to show. */
export class SpokenReply {
  /** What the listeners have got. */
  text: string
  /** What the model wrote. */
  heard = ''
  readonly checker: Checker
  readonly #verify: TurnPorts['verify']
  readonly #verifying: Verifying
  readonly #request: TurnRequest
  readonly #sanitizer: ReturnType<typeof createReplySanitizer>
  readonly #begin: number

  constructor(
    checker: Checker,
    verify: TurnPorts['verify'],
    request: TurnRequest,
    before: Pick<SpokenReply, 'text'> | null = null,
  ) {
    this.checker = checker
    this.#verify = verify
    this.#verifying = new Verifying(verify, checker)
    this.#request = request
    this.#sanitizer = createSanitizer(request)
    this.text = before?.text ?? ''
    this.#begin = this.text.length
  }

  *hear(text: string): Generator<TurnEvent> {
    this.heard += text
    yield* this.#say(this.checker.push(text))
    yield* this.#say(this.#verifying.listen(this.text === ''))
  }

  /** What is still open is decided, and the last of the reply shown. */
  async *conclude(): AsyncGenerator<TurnEvent, CheckResult> {
    yield* this.#say(this.checker.close())
    yield* this.#say(yield* this.#verifying.finish())
    const result = this.checker.end()
    yield* this.#say(result.pieces)
    yield* this.#show(this.#sanitizer.end())
    return { ...result, cited: this.#placed(result.cited) }
  }

  /** A second attempt at the same question, behind what was shown. */
  again(): SpokenReply {
    return new SpokenReply(this.checker.again(), this.#verify, this.#request, this)
  }

  /** The last characters were thought, not said: the reply without them, checked and shown anew. */
  *takeBack(chars: number): Generator<TurnEvent, SpokenReply> {
    const before = { text: this.text.slice(0, this.#begin) }
    const kept = new SpokenReply(this.checker.again(), this.#verify, this.#request, before)
    const said = [...kept.hear(this.heard.slice(0, this.heard.length - chars))]
    if (this.text.length > this.#begin) yield { type: 'replace', text: kept.text }
    else yield* said
    return kept
  }

  *#say(pieces: readonly CheckedPiece[]): Generator<TurnEvent> {
    for (const piece of pieces) yield* this.#show(this.#sanitizer.push(piece.text))
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

const createSanitizer = ({ origin }: TurnRequest) =>
  createReplySanitizer({ imagePrefixes: [`${origin}/`] })

/** A whole text made as safe to show as a reply. */
export function sanitize(request: TurnRequest, text: string): string {
  const sanitizer = createSanitizer(request)
  return sanitizer.push(text) + sanitizer.end()
}
