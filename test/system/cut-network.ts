import type { Page } from 'playwright-core'

/**
 * Takes the network from a page until the returned function is called. Chromium 150 calls a document that a service worker
 * brings without a network `onLine`, whatever is emulated; devices do not, so such documents are told.
 */
export async function cutNetwork(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.enable')
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true })`,
  })
  await page.context().setOffline(true)
  return async () => {
    await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier })
    await page.context().setOffline(false)
    await page.evaluate(() => {
      if (!Object.hasOwn(navigator, 'onLine')) return
      Reflect.deleteProperty(navigator, 'onLine')
      window.dispatchEvent(new Event('online'))
    })
    await session.detach()
  }
}
