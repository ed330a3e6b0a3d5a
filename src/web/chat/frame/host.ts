import type { Language } from '../../../config/names'
import { isComposing } from '../../kit/composing'
import { LANGUAGES } from '../../kit/prefs'
import type { ToFrame, ToHost } from '../../kit/widget/protocol'
import { loadCode } from '../app/load-code'
import type { Chat } from '../chat'
import type { Entry } from '../model/chat'

const TOKEN_PATIENCE_MS = 15_000

/** The site whose page shows this frame. It is heard and told only at the origin that its loader named. */
export class Host {
  readonly #origin: string
  readonly #chat: Chat
  #isOpen = false
  #unread = 0
  #session: string | null = null
  /** Ends of turns that were counted already, and the person's messages that were told of. */
  readonly #told = new Set<string>()
  #onToken: ((token: string | null) => void) | null = null
  /** What is still to be heard before it is known who asks: the site's first word, or the token that it announced. */
  #awaited: 'word' | 'token' | null = 'word'
  readonly #known = new EventTarget()

  constructor(origin: string, chat: Chat) {
    this.#origin = origin
    this.#chat = chat
    chat.whoAsks = (signal) =>
      this.#whoAsks(AbortSignal.any([signal, AbortSignal.timeout(TOKEN_PATIENCE_MS)]))
  }

  #whoAsks(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#awaited === null) resolve()
      signal.addEventListener('abort', () => reject(signal.reason))
      this.#known.addEventListener('known', () => resolve(), { signal })
    })
  }

  tell(message: ToHost): void {
    parent.postMessage(message, this.#origin)
  }

  /** Says that the chat is here, and what happens in it from now on. */
  start(): () => void {
    const end = new AbortController()
    const { entries, sessionId } = this.#chat.state
    for (const { key } of entries) this.#told.add(key)
    this.#session = sessionId
    const unsubscribe = this.#chat.subscribe(() => this.#watch())
    document.addEventListener('keydown', this.#leave, { signal: end.signal })
    document.addEventListener('keydown', this.#catch, { signal: end.signal })
    const style = getComputedStyle(document.documentElement)
    this.tell({
      type: 'ready',
      accent: style.getPropertyValue('--accent'),
      known: this.#chat.token !== null,
    })
    void this.#listenForMore(end.signal)
    return () => {
      end.abort()
      unsubscribe()
    }
  }

  /** What comes without being asked for is of no use before the chat is, and so neither is the code that hears of it. */
  async #listenForMore(signal: AbortSignal): Promise<void> {
    const pushes = await loadCode(() => import('./pushes')).catch(() => null)
    await pushes?.followPushes(
      () => this.#chat.token,
      (id) => void this.#chat.refresh(id),
      signal,
    )
  }

  listen(onLanguage: (lang: Language) => void): () => void {
    const end = new AbortController()
    const hear = ({ source, origin, data }: MessageEvent<ToFrame>) => {
      if (source === parent && origin === this.#origin) this.#obey(data, onLanguage)
    }
    addEventListener('message', hear, { signal: end.signal })
    return () => end.abort()
  }

  #obey(message: ToFrame, onLanguage: (lang: Language) => void): void {
    if (message.type === 'identify') this.#awaited = 'token'
    else if (message.type === 'open') {
      this.#isOpen = true
      this.#count(0)
      if (!message.quiet) field()?.focus()
    } else if (message.type === 'close') this.#isOpen = false
    else if (message.type === 'reset') this.#chat.signOut()
    else if (message.type === 'ask') this.#ask(message.text, message.send)
    else if (message.type === 'token') this.#adopt(message.token, message.renewable)
    else if (message.type === 'update') {
      const known = LANGUAGES.find(([lang]) => lang === message.lang)
      if (known) onLanguage(known[0])
      if (message.theme) showTheme(message.theme)
    }
    if (this.#awaited === 'token' && message.type !== 'token') return
    this.#awaited = null
    this.#known.dispatchEvent(new Event('known'))
  }

  #ask(text: string, send: boolean): void {
    const { turn } = this.#chat.state
    if (send && (turn === 'idle' || turn === 'leaving')) {
      void this.#chat.send(text, [])
      return
    }
    const input = field()
    if (!input) return
    input.value = text
    input.dispatchEvent(new Event('input', { bubbles: true }))
    input.focus()
  }

  #adopt(token: string | null, renewable: boolean): void {
    this.#chat.renewal = renewable ? () => this.#nextToken() : null
    if (token !== null) this.#chat.adopt(token)
    this.#onToken?.(token)
  }

  #nextToken(): Promise<string> {
    return new Promise((resolve, reject) => {
      const refuse = () => reject(new Error('no token came'))
      this.#onToken = (token) => (token === null ? refuse() : resolve(token))
      setTimeout(refuse, TOKEN_PATIENCE_MS)
      this.tell({ type: 'token' })
    })
  }

  /** New messages and ends of turns, each told once: what stands below all that was told. */
  #watch(): void {
    const { entries, sessionId } = this.#chat.state
    const isOther = sessionId !== null && sessionId !== this.#session
    this.#session = sessionId
    const told = entries.findLastIndex(({ key }) => this.#told.has(key))
    // Another chat was opened, or what was said before was read.
    const old = told < 0 && isOther ? entries : entries.slice(0, told + 1)
    for (const { key } of old.filter(isOver)) this.#told.add(key)
    for (const entry of entries) {
      if (entry.kind === 'note' || this.#told.has(entry.key)) continue
      if (!isOver(entry)) continue
      this.#told.add(entry.key)
      if (entry.kind === 'user') this.tell({ type: 'message' })
      else if (entry.problem !== null) this.tell({ type: 'error', kind: entry.problem.kind })
      else {
        this.tell({ type: 'reply' })
        if (!this.#isOpen) this.#count(this.#unread + 1)
      }
    }
  }

  #count(unread: number): void {
    if (unread === this.#unread) return
    this.#unread = unread
    this.tell({ type: 'unread', count: unread })
  }

  /** Escape closes the panel, unless an input method or something open inside it takes the key first. */
  readonly #leave = (event: KeyboardEvent): void => {
    const inside = document.querySelector('.popover:not([hidden]), dialog[open], .panel')
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return
    if (inside === null) this.tell({ type: 'close' })
  }

  /**
   * WebKit lets a frame of another site focus its field only soon after somebody pressed something. What is written before
   * anything has the focus goes there all the same.
   */
  readonly #catch = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
    const isText = key.length === 1 && !ctrlKey && !metaKey && !altKey
    if (isText && document.activeElement === document.body) field()?.focus()
  }
}

/** For this visit alone: what the reader chose in the menu stays stored. */
function showTheme(theme: string): void {
  const { dataset } = document.documentElement
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  else delete dataset.theme
}

const field = (): HTMLTextAreaElement | null => document.querySelector('.composer textarea')

const isOver = (entry: Entry): boolean =>
  entry.kind !== 'reply' || entry.state === 'done' || entry.state === 'failed'
