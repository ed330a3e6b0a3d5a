import type { WorkerFacts } from '../../pages/types'

/**
 * The service worker of one agent's page. It keeps the page itself and the files with hashed names that it is made of, so
 * that the app opens without a network. It never touches the API: no answer and no token passes through its caches.
 */
const worker = self as unknown as ServiceWorkerGlobalScope & { PARLEY: WorkerFacts }
const { home, version, shell } = worker.PARLEY

/** Caches of this page; another agent's page on the same origin has its own. */
const PREFIX = `parley ${home} `
const CACHE = PREFIX + version
/** A network that is there but does not answer must not keep the app from opening. */
const PATIENCE_MS = 4000

worker.addEventListener('install', (event) => {
  event.waitUntil(fill())
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

worker.addEventListener('message', (event) => {
  const message = event.data as { type?: unknown; version?: unknown; urls?: unknown }
  // A page that is as new as this worker needs no reload to work with it.
  if (message.type === 'activate' || (message.type === 'hello' && message.version === version)) {
    void worker.skipWaiting()
  } else if (message.type === 'hello') {
    event.source?.postMessage({ type: 'newer' })
  } else if (message.type === 'keep' && Array.isArray(message.urls)) {
    event.waitUntil(keep(message.urls.filter((url): url is string => typeof url === 'string')))
  }
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return
  if (isHashed(url)) event.respondWith(fromCache(request))
  else if (request.mode === 'navigate' && url.pathname === home)
    event.respondWith(openPage(request))
})

/** Names with a hash never change their content. */
function isHashed(url: URL): boolean {
  return /^\/assets\/[\w.-]+-[A-Z0-9]{8}\.(?:js|css|json|svg)$/.test(url.pathname)
}

async function fill(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll([...shell])
  // Without its page the app opens from the next visit on.
  await refreshPage(cache, new Request(home, { cache: 'no-cache' })).catch(() => undefined)
}

async function takeOver(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
  await worker.clients.claim()
}

async function keep(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  for (const url of urls) {
    const parsed = URL.parse(url, worker.location.origin)
    if (parsed === null || parsed.origin !== worker.location.origin || !isHashed(parsed)) continue
    if (!(await cache.match(parsed.href))) await cache.add(parsed.href).catch(() => undefined)
  }
}

async function fromCache(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const known = await cache.match(request.url)
  if (known) return known
  const response = await fetch(request)
  if (response.ok) await cache.put(request.url, response.clone())
  return response
}

/** The page as it is now; as it was when there is no network. What is gone from the server is forgotten here too. */
async function openPage(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const fresh = refreshPage(cache, request)
  const known = await cache.match(home)
  if (!known) return fresh
  const late = new Promise<Response>((resolve) => {
    setTimeout(() => resolve(known), PATIENCE_MS)
  })
  return Promise.race([fresh, late]).catch(() => known)
}

async function refreshPage(cache: Cache, request: Request): Promise<Response> {
  const response = await fetch(request)
  if (response.ok) {
    const copy = response.clone()
    // The page cannot start without the language that it was written in.
    const language = /<link rel="preload" as="fetch" href="([^"]+)"/.exec(await copy.clone().text())
    await keep(language?.[1] === undefined ? [] : [language[1]])
    await cache.put(home, copy)
  } else if (response.status === 404) await cache.delete(home)
  return response
}
