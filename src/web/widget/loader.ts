import type { Parley, ParleyEvents, ParleyIdentity } from '../../../packages/widget/index'
import { HOST_KEY, INLINE_KEY, type ToFrame, type ToHost } from '../kit/widget/protocol'
import { frameAddress, type Options, readOptions } from './options'
import { SMALL } from './style'
import { View } from './view'

/** How long a frame that has loaded may stay silent before it counts as refused. */
const PATIENCE_MS = 8000

type Queued = [unknown[], (value: unknown) => void, (reason: unknown) => void]
type Live = Parley & { q?: Queued[]; live?: true }
const page = window as unknown as { Parley?: Live | undefined }

/** The chat on one page: what its script was told, its view, and the frame with the conversation. */
class Widget {
  readonly #options: Options
  readonly #view: View
  readonly #inline: boolean
  readonly #end = new AbortController()
  readonly #events = new EventTarget()
  #frame: HTMLIFrameElement | null = null
  #identity: ParleyIdentity | null = null
  #isReady = false
  #announced = false
  /** Nobody has opened it, as it may have itself: the focus stays where the reader has it. */
  #isQuiet = true
  /** What is told as soon as the frame listens. */
  #waiting: (() => void)[] = []

  constructor(options: Options) {
    this.#options = options
    let target: Element | null = null
    try {
      if (options.target) target = document.querySelector(options.target)
    } catch (error) {
      // No selector: the console says so, and it is as where nothing is found.
      reportError(error)
    }
    this.#inline = target !== null
    this.#view = new View(
      options,
      target,
      (wanted) => (wanted ? this.open() : this.close()),
      () => this.#load(),
    )
    const { signal } = this.#end
    addEventListener('message', (event) => this.#hear(event), { signal })
    document.addEventListener(
      'click',
      ({ target: pressed }) => {
        if (pressed instanceof Element && pressed.closest('[data-open-chat]')) void this.open()
      },
      { signal },
    )
    this.#warmUp()
    if (this.#inline || this.#opensItself()) void this.#show()
    else if (recall(this.#key('known'))) {
      // Somebody has talked here before: an answer may have come meanwhile.
      whenIdle(() => this.#load())
    }
  }

  open(): Promise<void> {
    this.#isQuiet = false
    return this.#show()
  }

  async #show(): Promise<void> {
    this.#load()
    if (!this.#view.isOpen) {
      this.#view.show()
      this.#emit('open', {})
    }
    await this.#tell({ type: 'open', quiet: this.#isQuiet })
    // It may have been closed before the frame was ready.
    if (this.#inline || this.#isQuiet || !this.#view.isOpen) return
    // Focused before its document came, it would count as focused, and the keys still be the page's.
    this.#frame?.blur()
    this.#frame?.focus()
  }

  async close(): Promise<void> {
    if (!this.#view.isOpen || this.#inline) return
    this.#view.hide()
    this.#emit('close', {})
    await this.#tell({ type: 'close' })
  }

  toggle(): Promise<void> {
    return this.#view.isOpen ? this.close() : this.open()
  }

  async update({ lang, theme }: { lang?: string; theme?: string }): Promise<void> {
    if (lang) this.#options.lang = lang
    if (theme) this.#options.theme = theme
    if (this.#frame) await this.#tell({ type: 'update', lang, theme })
  }

  async ask(text: string, { send = false } = {}): Promise<void> {
    // Only who pressed something may have words sent in their name.
    const isGesture = navigator.userActivation?.isActive === true
    await this.open()
    await this.#tell({ type: 'ask', text: String(text), send: send && isGesture })
  }

  async identify(identity: ParleyIdentity): Promise<void> {
    this.#identity = identity
    // A frame that is not ready is told as soon as it is.
    if (this.#isReady) await this.#sendToken()
    else whenIdle(() => this.#load())
  }

  async reset(): Promise<void> {
    this.#identity = null
    keep(this.#key('known'), '')
    this.#load()
    await this.#tell({ type: 'reset' })
  }

  on(event: string, listener: (detail: unknown) => void): () => void {
    const heard = (told: Event) => listener((told as CustomEvent).detail)
    this.#events.addEventListener(event, heard)
    if (event === 'ready' && this.#announced) listener({})
    return () => this.#events.removeEventListener(event, heard)
  }

  destroy(): void {
    this.#end.abort()
    this.#view.remove()
    this.#frame = null
    page.Parley = undefined
  }

  #key(name: string): string {
    return `parley:${this.#options.tenant}:${name}`
  }

  #opensItself(): boolean {
    const { open } = this.#options
    if (open === 'no' || matchMedia(SMALL).matches) return false
    if (open === 'once') {
      if (recall(this.#key('opened'))) return false
      keep(this.#key('opened'), '1')
    }
    return true
  }

  /** The connection stands before the first press. */
  #warmUp(): void {
    const link = document.createElement('link')
    link.rel = 'preconnect'
    link.href = this.#options.app
    if (this.#options.nonce !== null) link.nonce = this.#options.nonce
    document.head.append(link)
  }

  #load(): void {
    if (this.#frame) return
    const frame = document.createElement('iframe')
    this.#frame = frame
    frame.allow = 'microphone; clipboard-write'
    frame.src = frameAddress(this.#options, {
      [HOST_KEY]: location.origin,
      ...(this.#inline ? { [INLINE_KEY]: '1' } : {}),
    })
    frame.addEventListener('load', () => {
      setTimeout(() => {
        if (this.#isReady || this.#frame !== frame) return
        this.#emit('error', { kind: 'blocked' })
        if (this.#inline) return
        // Nobody is kept before an empty screen, and what did not come may come with the next press.
        frame.remove()
        this.#frame = null
        void this.close()
      }, PATIENCE_MS)
    })
    this.#view.hold(frame)
  }

  #hear({ source, origin, data }: MessageEvent<ToHost>): void {
    // `#frame` stands in a closed root, so nobody else can say this from its window.
    if (!source || source !== this.#frame?.contentWindow) return
    if (origin !== this.#options.app) return
    if (data.type === 'ready') this.#begin(data)
    else if (data.type === 'close') void this.close()
    else if (data.type === 'widen') this.#view.widen()
    else if (data.type === 'token') void this.#sendToken()
    else {
      if (data.type === 'unread') this.#view.count(data.count)
      if (data.type === 'message') keep(this.#key('known'), '1')
      this.#emit(data.type, data)
    }
  }

  #begin({ accent, known }: Extract<ToHost, { type: 'ready' }>): void {
    this.#isReady = true
    this.#view.paint(accent)
    if (known) keep(this.#key('known'), '1')
    if (this.#identity) void this.#sendToken()
    if (this.#view.isOpen) void this.#tell({ type: 'open', quiet: this.#isQuiet })
    for (const go of this.#waiting.splice(0)) go()
    if (!this.#announced) {
      this.#announced = true
      this.#emit('ready', {})
    }
  }

  /** Resolves once the frame was told. */
  #tell(message: ToFrame): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        if (!this.#isReady) {
          this.#waiting.push(go)
          return
        }
        this.#frame?.contentWindow?.postMessage(message, this.#options.app)
        // The frame begins anew.
        if (message.type === 'reset') this.#isReady = false
        resolve()
      }
      go()
    })
  }

  async #sendToken(): Promise<void> {
    const identity = this.#identity
    const renewable = identity !== null && 'getToken' in identity
    let token = renewable ? null : (identity?.token ?? null)
    if (renewable) {
      void this.#tell({ type: 'identify' })
      try {
        token = await identity.getToken()
      } catch {
        this.#emit('error', { kind: 'token' })
      }
      // Somebody else is there by now, or nobody.
      if (identity !== this.#identity) return
    }
    await this.#tell({ type: 'token', token, renewable })
  }

  #emit(event: keyof ParleyEvents, detail: object): void {
    this.#events.dispatchEvent(new CustomEvent(event, { detail }))
  }
}

/** Begins with the script that runs now. A second script on the same page changes nothing. */
function start(script: HTMLScriptElement): void {
  const options = readOptions(script)
  if (options === null || page.Parley?.live) return
  const queued = page.Parley?.q ?? []
  const widget = new Widget(options)
  const call = async (command: string, ...parameters: unknown[]) => {
    const verb = (widget as unknown as Record<string, (...all: unknown[]) => unknown>)[command]
    if (typeof verb !== 'function') throw new TypeError(`Parley has no ${command}`)
    return verb.apply(widget, parameters)
  }
  page.Parley = Object.assign(call, { live: true as const }) as unknown as Live
  for (const [parameters, done, failed] of queued) {
    call(...(parameters as [string, ...unknown[]])).then(done, failed)
  }
}

const whenIdle = (work: () => void): unknown => (window.requestIdleCallback ?? setTimeout)(work)

function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Forbidden: every visit is the first.
  }
}

const { currentScript } = document
if (currentScript instanceof HTMLScriptElement) {
  if (document.body) start(currentScript)
  else document.addEventListener('DOMContentLoaded', () => start(currentScript))
}
