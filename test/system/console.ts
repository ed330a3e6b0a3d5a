import type { Page } from 'playwright-core'

/** Opens the console, where it is not open yet, at a path below `#`, and signs in by a tenant's key. */
export async function enterConsole(
  page: Page,
  origin: string,
  key: string,
  path = '/',
): Promise<void> {
  if (!page.url().startsWith(`${origin}/console`)) await page.goto(`${origin}/console#${path}`)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('#main').waitFor()
}
