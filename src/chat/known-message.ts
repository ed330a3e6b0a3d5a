import { findContext } from '../text/question'
import { detectSmallTalk, isNoted } from '../text/small-talk'

/** Marks may follow. */
const QUESTION_END = /[?？؟]["”»)]*\s*(?:\[\d+\]\s*)*$/u

/** What a message is in its talk, found out once, when somebody asks: for its admission and again for its steps. */
export class KnownMessage {
  readonly message: string
  readonly #history: readonly { role: string; content: string }[]
  #smallTalk: boolean | null = null
  #context: string | null = null

  constructor(message: string, history: readonly { role: string; content: string }[]) {
    this.message = message
    this.#history = history
  }

  /** Thanks or a greeting, or that a reply was read, and nothing else. */
  get smallTalk(): boolean {
    this.#smallTalk ??= detectSmallTalk(this.message) !== null || this.#isNoted()
    return this.#smallTalk
  }

  /** What a follow-up leans on; '' for a message that stands alone. */
  get context(): string {
    this.#context ??= findContext(this.message, this.#history)
    return this.#context
  }

  /** "OK" behind a question is an answer. */
  #isNoted(): boolean {
    if (!isNoted(this.message)) return false
    const said = this.#history.findLast(({ role }) => role === 'assistant')?.content ?? ''
    return !QUESTION_END.test(said)
  }
}
