import { randomKey } from './random-key'

/**
 * Browsers keep the storage of a frame on another site apart, so a person signs in in a window that the frame opens, and the
 * window tells the frame. Both are of this origin: the browser hands these messages to nobody else, whoever opened the window.
 */
interface SignedIn {
  type: 'signedIn'
  /** What the frame named when it opened the window. */
  state: string
  token: string
}

const HEARD = 'heard'
const STATE = /^[0-9a-f]{32}$/
/** How long the window waits for the frame before it goes on by itself. */
const PATIENCE_MS = 3000
const LOOK_MS = 300

/** The word of the login page's address that carries the state. */
const WINDOW_KEY = 'popup'

/**
 * Opens the login page in a window; resolves with the token that it hands over. Null where the window was blocked, closed, or
 * cut off from this frame by a policy of the site around it.
 */
export function signInByWindow(address: URL, signal: AbortSignal): Promise<string | null> {
  const state = randomKey()
  address.searchParams.set(WINDOW_KEY, state)
  const made = open(address, '_blank', 'popup,width=480,height=720')
  return new Promise((resolve) => {
    const end = new AbortController()
    const settle = (token: string | null) => {
      end.abort()
      clearInterval(timer)
      resolve(token)
    }
    const timer = setInterval(() => (made?.closed ?? true) && settle(null), LOOK_MS)
    signal.addEventListener('abort', () => settle(null), { signal: end.signal })
    const hear = ({ source, origin, data }: MessageEvent<Partial<SignedIn> | null>) => {
      if (source !== made || origin !== location.origin) return
      if (data?.type !== 'signedIn' || data.state !== state || typeof data.token !== 'string')
        return
      made?.postMessage({ type: HEARD, state }, origin)
      settle(data.token)
    }
    addEventListener('message', hear, { signal: end.signal })
  })
}

/** What tells the frame that opened this window of a token; null where none did. */
export function findFrame(search: string): ((token: string) => Promise<boolean>) | null {
  const state = new URLSearchParams(search).get(WINDOW_KEY) ?? ''
  const frame: unknown = window.opener
  return STATE.test(state) && frame ? (token) => handOver(frame as Window, state, token) : null
}

/** False where nobody of this origin heard it in time. */
function handOver(frame: Window, state: string, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const end = new AbortController()
    const settle = (heard: boolean) => {
      end.abort()
      clearTimeout(timer)
      resolve(heard)
    }
    const timer = setTimeout(() => settle(false), PATIENCE_MS)
    const hear = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame || origin !== location.origin) return
      if (data?.type === HEARD && data.state === state) settle(true)
    }
    addEventListener('message', hear, { signal: end.signal })
    frame.postMessage({ type: 'signedIn', state, token } satisfies SignedIn, location.origin)
  })
}
