import type { Page } from 'playwright-core'

/** Holds the answer to the first request for a path back: what is asked for later comes before it. */
export async function holdAnswer(
  page: Page,
  path: string,
): Promise<{
  /** The server has answered. */
  answered: Promise<void>
  /** Over when the page has drawn what came. */
  letGo: () => Promise<void>
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
  const letGo = async () => {
    const late = page.waitForResponse(path)
    goesOn.resolve()
    await (await late).finished()
    await page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    })
  }
  return { answered: answered.promise, letGo }
}
