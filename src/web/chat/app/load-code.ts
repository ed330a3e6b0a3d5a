/** Told on the window once a later deployment took this page's place. */
export const OUTDATED = 'parley-outdated'

let isAsking = false

/** Fetches code that comes later. Where it cannot be had, whoever waits is told so, and whether the page is out of date is looked up. */
export async function loadCode<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load()
  } catch (error) {
    void lookUp()
    throw error
  }
}

/** Old code is served for two weeks; a page that has been open for longer has to be loaded anew. */
async function lookUp(): Promise<void> {
  if (isAsking || !navigator.onLine) return
  isAsking = true
  const own = document.querySelector('script[type=module][src]')?.getAttribute('src')
  const page = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' } })
    .then((response) => (response.ok ? response.text() : null))
    .catch(() => null)
  isAsking = false
  if (own && page !== null && !page.includes(own)) dispatchEvent(new Event(OUTDATED))
}
