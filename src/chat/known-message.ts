import type { Language } from '../config/names'
import { unquoted } from '../memory/unquoted'
import { asksAnew } from '../text/asks-anew'
import { detectLanguage } from '../text/detect-language'
import { askedInStory, findAsked, findContext } from '../text/question'
import { type Reader, readerFor } from '../text/question-reader'
import { inRussian } from '../text/russian-keys'
import { detectSmallTalk, isNoted } from '../text/small-talk'
import { speaksOfSelf } from '../text/speaks-of-self'

/** Marks may follow. */
const QUESTION_END = /[?？؟]["”»)]*\s*(?:\[\d+\]\s*)*$/u

/** Of what the user said before so many messages are asked for the language of the talk. */
const TALK_LOOK = 10

/** What a message is in its talk, found out once, when somebody asks: for its admission and again for its steps. */
export class KnownMessage {
  readonly message: string
  readonly #history: readonly { role: string; content: string }[]
  readonly #page: Language | undefined
  readonly #tell: typeof detectLanguage
  #smallTalk: boolean | null = null
  #about: KnownMessage | null = null
  #context: string | null = null
  #asked: string | null = null
  #lang: { told: Language | null } | null = null
  #talkLang: { told: Language | null } | null = null
  #reader: Reader | null = null

  constructor(
    message: string,
    history: readonly { role: string; content: string }[],
    page?: Language,
    tell = detectLanguage,
  ) {
    this.message = message
    this.#history = history
    this.#page = page
    this.#tell = tell
  }

  /** Takes what is Russian in Latin letters for what it says. The thesaurus must be loaded. */
  readLetters(): this {
    const meant = inRussian(this.message)
    if (meant !== null) {
      this.#about = new KnownMessage(meant, this.#history, this.#page, this.#tell)
      this.#smallTalk = this.#about.smallTalk
      this.#lang = { told: 'ru' }
      this.#talkLang = null
    }
    return this
  }

  /** Thanks or a greeting, or that a reply was read, and nothing else. */
  get smallTalk(): boolean {
    this.#smallTalk ??= detectSmallTalk(this.message) !== null || this.#isNoted()
    return this.#smallTalk
  }

  /** Whose question it asks: its own, or where it wants an answer in another form ("in Spanish, please"), that of the one before. */
  get about(): KnownMessage {
    if (this.#about === null && this.#history.length > 0) {
      const isAnew = asksAnew(this.message)
      if (isAnew === null) return this
      this.#about = isAnew ? this.#answeredBefore() : this
    }
    return this.#about ?? this
  }

  /** What a follow-up leans on; '' for a message that stands alone. */
  get context(): string {
    this.#context ??= findContext(this.message, this.#history, () => this.#read())
    return this.#context
  }

  /** What it asks, without what it only tells around that; '' where it tells nothing else. */
  get asked(): string {
    this.#asked ??= findAsked(this.message, this.#read())
    return this.#asked
  }

  /** What it asks behind a story; '' where it tells none. */
  get askedInStory(): string {
    return askedInStory(this.message, this.#read())
  }

  /** Null where nothing tells one. */
  get lang(): Language | null {
    this.#lang ??= { told: this.#tell(this.message, this.#page) }
    return this.#lang.told
  }

  /** The one that the talk is in: its own, else that of what the user said last that tells one. */
  get talkLang(): Language | null {
    this.#talkLang ??= { told: this.lang ?? this.#lastLang() }
    return this.#talkLang.told
  }

  /** Whether it may say something about its author. */
  get speaksOfSelf(): boolean {
    const own = unquoted(this.message)
    return own === this.message ? speaksOfSelf(own, () => this.lang) : speaksOfSelf(own)
  }

  #answeredBefore(): KnownMessage {
    const at = this.#history.findLastIndex(
      ({ role, content }) => role === 'user' && !asksAnew(content),
    )
    const content = this.#history[at]?.content
    if (content === undefined) return this
    const before = new KnownMessage(content, this.#history.slice(0, at), this.#page, this.#tell)
    return before.smallTalk ? this : before
  }

  #lastLang(): Language | null {
    const said = this.#history.filter(({ role }) => role === 'user').slice(-TALK_LOOK)
    for (const { content } of said.reverse()) {
      const lang = this.#tell(content, this.#page)
      if (lang !== null) return lang
    }
    return null
  }

  #read(): Reader {
    this.#reader ??= readerFor(this.message, this.lang)
    return this.#reader
  }

  /** "OK" behind a question is an answer. */
  #isNoted(): boolean {
    if (!isNoted(this.message)) return false
    const said = this.#history.findLast(({ role }) => role === 'assistant')?.content ?? ''
    return !QUESTION_END.test(said)
  }
}
