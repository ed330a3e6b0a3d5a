import { describe, expect, it } from 'vitest'
import { horizontalOverflow, openPage, takePicture } from './browser'
import { browser, parley, withSite } from './with-site'

describe('/docs in Chromium', () => {
  withSite()

  it('lists every area, opens an operation and tries it, under its own policy, on a wide page and a narrow one', async () => {
    const viewport = { width: 1024, height: 800 }
    const { page, faults, strangers } = await openPage(browser, parley.url.origin, { viewport })
    // Every step draws the whole list of operations anew.
    page.setDefaultTimeout(60_000)
    await page.goto(`${parley.url.origin}/docs`)
    await page.waitForSelector('.opblock-tag')
    const { json } = await parley.call('GET', '/openapi.json')
    await expect.poll(() => page.locator('.opblock-tag').count()).toBe(json.tags.length)
    const fits = async (name: string) => {
      await takePicture(page, `docs-${name}`)
      for (const width of [375, 1024]) {
        await page.setViewportSize({ ...viewport, width })
        await expect.poll(() => horizontalOverflow(page)).toBe(0)
      }
    }
    await fits('list')

    await page.getByRole('textbox', { name: 'Filter by tag' }).fill('Documentation')
    await page.locator('#operations-tag-Documentation').click()
    await page.locator('.opblock-summary-control').first().click()
    await page.getByRole('button', { name: 'Try it out' }).click()
    await page.getByRole('button', { name: 'Execute' }).click()
    await page.waitForSelector('.live-responses-table .response-col_status')
    await expect
      .poll(() => page.locator('.live-responses-table .response-col_status').last().textContent())
      .toMatch(/^200/)
    await fits('tried')
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  }, 180_000)
})
