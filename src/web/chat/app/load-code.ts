/** Told on the window once this page has to be loaded anew: what it would fetch is gone with a later deployment, or is not asked for again. */
export const OUTDATED = 'parley-outdated'

let isAsking = false

/** Fetches code that comes later. Where it cannot be had, whoever waits is told so, and whether the page has to be loaded anew is looked up. */
export async function loadCode<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load()
  } catch (error) {
    void lookUp(load, error)
    throw error
  }
}

/** Old code is served for two weeks; a page that has been open for longer has to be loaded anew. */
async function lookUp(load: () => Promise<unknown>, error: unknown): Promise<void> {
  if (isAsking || !navigator.onLine) return
  isAsking = true
  const own = document.querySelector('script[type=module][src]')?.getAttribute('src')
  const page = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' } })
    .then((response) => (response.ok ? response.text() : null))
    .catch(() => null)
  const isGone = own && page !== null && !page.includes(own)
  if (isGone || (page !== null && (await isKept(load, error)))) dispatchEvent(new Event(OUTDATED))
  isAsking = false
}

/** Firefox keeps the failure of a file that did not come, and fails with it for as long as the page is open. Its error names the file. */
async function isKept(load: () => Promise<unknown>, error: unknown): Promise<boolean> {
  const [file] = /https?:\S+/.exec(String(error)) ?? []
  const response = file === undefined ? null : await fetch(file).catch(() => null)
  return (
    response?.ok === true &&
    load().then(
      () => false,
      () => true,
    )
  )
}
