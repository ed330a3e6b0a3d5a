import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type SeededTenant, seedTenant } from '../support/seed'
import { horizontalOverflow, launchBrowser, noViolations, openPage, takePicture } from './browser'
import { enterConsole } from './console'
import { sharedSite } from './site'

describe('the console in Chromium', () => {
  let browser: Browser
  let parley: Parley
  let tenant: SeededTenant
  let origin: string

  beforeAll(async () => {
    browser = await launchBrowser()
    parley = await sharedSite()
    origin = parley.url.origin
    tenant = await seedTenant(parley, { name: 'Acme <b>' })
  })
  afterAll(async () => {
    await browser.close()
    await parley.close()
  })

  const keptKeys = (page: Page) =>
    page.evaluate(() => [...Object.values(sessionStorage), ...Object.values(localStorage)].join())

  it('lets nobody in without a key that is good, and keeps it no longer than it is told to', async () => {
    const { page, faults, strangers } = await openPage(browser, origin)
    await page.goto(`${origin}/console`)
    await page.getByLabel('API key').fill('pk_of_nobody')
    await noViolations(page)
    await takePicture(page, 'console-sign-in')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('This key is not valid').waitFor()

    await enterConsole(page, origin, tenant.key)
    await page.getByText('Acme <b>').waitFor()
    await expect.poll(() => keptKeys(page)).not.toContain(tenant.key)
    await page.reload()
    await page.getByLabel('API key').waitFor()

    await page.getByLabel('Keep in this tab').check()
    await enterConsole(page, origin, tenant.key)
    await page.reload()
    await page.getByText('Acme <b>').waitFor()
    await page.getByRole('button', { name: 'Language, theme and sign-out' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await expect.poll(() => keptKeys(page)).not.toContain(tenant.key)
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  })

  it('finds a place by its name and goes there by keyboard, on a narrow page too', async () => {
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 320, height: 700 },
    })
    await enterConsole(page, origin, tenant.key)
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('audi')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/audit')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Agents' }).waitFor()
    await noViolations(page)
    await takePicture(page, 'console-narrow')
    expect(faults).toEqual([])
  })
})
