import type { AppFacts } from '../../../pages/types'

const POLICY = 'parley-worker'
const CHECK_INTERVAL_MS = 60 * 60 * 1000

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

/** The page's service worker: opens the app without a network, and tells when a newer version waits. */
export class PageWorker {
  readonly #app: AppFacts
  readonly #onNewer: () => void
  #waiting: ServiceWorker | null = null
  #reloading = false

  /** @param onNewer runs when a newer version waits for the reader's word. */
  constructor(app: AppFacts, onNewer: () => void) {
    this.#app = app
    this.#onNewer = onNewer
  }

  /** @param keep files with hashed names that are kept beside the shell, such as the language. */
  async start(keep: readonly string[]): Promise<void> {
    const container = navigator.serviceWorker
    // Without a secure address there is none.
    if (!container) return
    container.addEventListener('message', (event: MessageEvent<{ type?: unknown }>) => {
      if (event.data?.type === 'newer') this.#onNewer()
    })
    container.addEventListener('controllerchange', () => {
      if (this.#reloading) location.reload()
    })
    const { worker, home } = this.#app
    const registration = await container.register(trusted(worker), {
      scope: home,
      updateViaCache: 'none',
    })
    this.#watch(registration)
    const ready = await container.ready
    ready.active?.postMessage({ type: 'keep', urls: keep })
    let checkedAt = Date.now()
    document.addEventListener('visibilitychange', () => {
      if (document.hidden || Date.now() - checkedAt < CHECK_INTERVAL_MS) return
      checkedAt = Date.now()
      void registration.update().catch(() => undefined)
    })
  }

  /** The reader asked for the newer version. */
  reload(): void {
    this.#reloading = true
    if (this.#waiting === null) location.reload()
    else this.#waiting.postMessage({ type: 'activate' })
  }

  #watch(registration: ServiceWorkerRegistration): void {
    this.#greet(registration.waiting)
    const follow = (next: ServiceWorker | null) =>
      next?.addEventListener('statechange', () => {
        if (next.state === 'installed') this.#greet(registration.waiting)
      })
    // One may be on its way already.
    follow(registration.installing)
    registration.addEventListener('updatefound', () => follow(registration.installing))
  }

  /** A worker as new as the page takes over by itself; any other answers that it is newer. */
  #greet(worker: ServiceWorker | null): void {
    if (worker === null || navigator.serviceWorker.controller === null) return
    this.#waiting = worker
    worker.postMessage({ type: 'hello', version: this.#app.version })
  }
}

/** Under Trusted Types an address of code has to come from a policy: ours makes this one and no other. */
function trusted(address: string): string {
  const types = (globalThis as { trustedTypes?: Policies }).trustedTypes
  if (!types) return address
  const policy = types.createPolicy(POLICY, {
    createScriptURL(url) {
      if (url !== address) throw new TypeError('Not the worker of this page')
      return url
    },
  })
  return policy.createScriptURL(address)
}
