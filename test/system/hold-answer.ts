import type { Page } from 'playwright-core'

/** Holds the answer to the first request for a path back: what is asked for later comes before it. */
export async function holdAnswer(
  page: Page,
  path: string,
): Promise<{
  /** The server has answered. */
  answered: Promise<void>
  /** Lets it come, and gives the HTML of what the selector finds once the page has drawn what came. */
  letGo: (selector: string) => Promise<string | undefined>
}> {
  const [answered, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let requests = 0
  await page.route(path, async (route) => {
    requests += 1
    const isFirst = requests === 1
    const response = await route.fetch()
    answered.resolve()
    if (isFirst) await goesOn.promise
    await route.fulfill({ response })
  })
  const letGo = async (selector: string) => {
    const late = page.waitForResponse(path)
    goesOn.resolve()
    await (await late).finished()
    return page.evaluate(async (wanted) => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      return document.querySelector(wanted)?.outerHTML
    }, selector)
  }
  return { answered: answered.promise, letGo }
}
