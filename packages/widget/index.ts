/** What may be said of the chat's place; the names are those of the script's `data-` attributes. */
export interface ParleyOptions {
  /** Origin of the deployment, such as `https://chat.example`. */
  app: string
  tenant: string
  agent?: string
  lang?: string
  theme?: 'auto' | 'light' | 'dark'
  /** `#rrggbb` */
  accent?: string
  position?: 'end' | 'start'
  offsetX?: number
  offsetY?: number
  zIndex?: number
  launcher?: 'bubble' | 'label' | 'none'
  label?: string
  open?: 'no' | 'once' | 'always'
  greeting?: 'agent' | 'off'
  /** CSS selector of the element that holds the chat instead of a floating panel. */
  target?: string
  nonce?: string
}

export type ParleyIdentity = { token: string } | { getToken: () => string | Promise<string> }

export interface ParleyEvents {
  ready: object
  open: object
  close: object
  message: object
  reply: object
  unread: { count: number }
  error: { kind: string }
}

/** Every call is queued until the chat is there, and resolves when it was carried out. */
export interface Parley {
  (command: 'open' | 'close' | 'toggle' | 'destroy' | 'reset'): Promise<void>
  (
    command: 'update',
    options: { lang?: string | undefined; theme?: 'auto' | 'light' | 'dark' | undefined },
  ): Promise<void>
  /** Fills the input; sends only with `send` and soon after the reader pressed something. */
  (command: 'ask', text: string, options?: { send?: boolean }): Promise<void>
  (command: 'identify', identity: ParleyIdentity): Promise<void>
  /** Resolves to what ends the listening. */
  <E extends keyof ParleyEvents>(
    command: 'on',
    event: E,
    listener: (detail: ParleyEvents[E]) => void,
  ): Promise<() => void>
}

type Call = [
  parameters: unknown[],
  done: (value: unknown) => void,
  failed: (reason: unknown) => void,
]

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => string }
}

let policy: ReturnType<Policies['createPolicy']> | undefined

/** Puts the chat on this page, once; what is called before it is there waits. */
export function load({ app, ...options }: ParleyOptions): Parley {
  const page = window as unknown as {
    Parley?: Parley & { q?: Call[] }
    trustedTypes?: Policies
  }
  // What is called later goes to what is there then: the queue, or the chat.
  const call = async (...parameters: unknown[]): Promise<unknown> =>
    (page.Parley as unknown as typeof call)(...parameters)
  if (page.Parley) return call as unknown as Parley
  const queue: Call[] = []
  const address = new URL('/widget.js', app).href
  const script = document.createElement('script')
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) script.dataset[name] = String(value)
  }
  policy ??= page.trustedTypes?.createPolicy('parley', { createScriptURL: (url) => url })
  script.src = policy ? policy.createScriptURL(address) : address
  if (options.nonce) script.nonce = options.nonce
  const waiting = (...parameters: unknown[]) =>
    new Promise((done, failed) => {
      queue.push([parameters, done, failed])
      if (parameters[0] !== 'destroy') return
      // Before the script is there, it is told to begin nothing, so that it can be asked for anew at once.
      script.removeAttribute('data-tenant')
      delete page.Parley
      for (const [, end] of queue) end(undefined)
    })
  page.Parley = Object.assign(waiting, { q: queue }) as unknown as Parley & { q: Call[] }
  document.head.append(script)
  return call as unknown as Parley
}
