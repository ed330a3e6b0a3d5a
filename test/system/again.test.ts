import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import {
  horizontalOverflow,
  noViolations,
  noViolationsInBoth,
  openPage,
  pressComposing,
  type WatchedPage,
} from './browser'
import { ask } from './chat'
import { browser, parley, withSite } from './with-site'

let tenant: SeededTenant

withSite()
beforeAll(async () => {
  tenant = await seedTenant(parley, { name: 'Acme Tools' })
  await seedBase(tenant, 'guide', {
    'Refund policy': 'Refunds are paid within five working days.',
    'Opening hours': 'The office opens at nine in the morning.',
  })
  await seedAgent(tenant, 'Front desk', { knowledge_bases: ['guide'], grounding_required: true })
  await expectOk(tenant.call('PUT', '/v1/agents/Front%20desk/alias', { alias: 'front-desk' }))
})

async function visit(lang: string, width: number): Promise<WatchedPage> {
  const watched = await openPage(browser, parley.url.origin, { viewport: { width, height: 800 } })
  await watched.page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=${lang}`)
  await watched.page.waitForSelector('textarea')
  return watched
}

const own = (page: Page) => page.locator('.own').last()
const reply = (page: Page) => page.locator('.reply').last()
/** Whether all of it is within what the log shows. */
const inLog = (field: Locator) =>
  field.evaluate((element) => {
    const box = element.getBoundingClientRect()
    const log = document.querySelector('.log')?.getBoundingClientRect()
    return log !== undefined && box.top >= log.top && box.bottom <= log.bottom
  })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('messages that were said (#14.3)', () => {
  it('are asked anew and in other words, compared, continued elsewhere and deleted', {
    timeout: 90_000,
  }, async () => {
    const { page, faults, strangers } = await visit('en', 1024)
    await ask(page, 'When are refunds paid?')
    await button(page, 'Answer again').click()
    const versions = reply(page).getByRole('group', { name: 'Versions' })
    await versions.getByText('2 of 2').waitFor()
    await button(page, 'Previous version').click()
    await versions.getByText('1 of 2').waitFor()
    await expect.poll(() => page.locator('.reply').count()).toBe(1)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.ariaLabel))
      .toBe('Previous version')

    await own(page).hover()
    await button(page, 'Edit').click()
    const words = page.getByRole('textbox', { name: 'Your message in other words' })
    await expect.poll(() => words.inputValue()).toBe('When are refunds paid?')
    await noViolationsInBoth(page)
    await words.fill('When does the office open?')
    await words.press('Enter')
    await own(page).getByText('2 of 2').waitFor()
    await expect
      .poll(() => page.locator('.bubble').allTextContents())
      .toEqual(['When does the office open?'])
    await expect.poll(() => reply(page).locator('.md').textContent()).toContain('nine')
    await own(page).getByRole('button', { name: 'Previous version' }).click()
    await expect
      .poll(() => page.locator('.bubble').allTextContents())
      .toEqual(['When are refunds paid?'])
    // What followed it came back with it.
    await versions.getByText('1 of 2').waitFor()
    await page.reload()
    await versions.getByText('1 of 2').waitFor()

    await own(page).hover()
    await button(page, 'Branch from here').click()
    await expect.poll(() => page.inputValue('.composer textarea')).toBe('When are refunds paid?')
    await expect.poll(() => page.locator('.own').count()).toBe(0)
    await page.press('.composer textarea', 'Enter')
    await reply(page).locator('.actions').waitFor()
    await own(page).hover()
    await button(page, 'Delete message').click()
    await button(page, 'Cancel').click()
    await button(page, 'Delete message').click()
    await noViolationsInBoth(page)
    await button(page, 'Delete').click()
    await expect.poll(() => page.locator('.own').count()).toBe(0)
    await expect.poll(() => page.locator('.reply').count()).toBe(1)
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  })

  it('stay in sight while they are written anew, and what answers nobody is not made anew', async () => {
    const { page, faults } = await visit('en', 1024)
    for (const words of ['When are refunds paid?', 'When does the office open?'])
      await ask(page, words)
    await button(page, 'Answer again').waitFor()
    // No higher than what was said: all of it is in sight, and its end is at the window's.
    const spare = await page.evaluate(() => {
      const bottom = (of: string) => document.querySelector(of)?.getBoundingClientRect().bottom ?? 0
      return Math.floor(bottom('.log') - bottom('ol.messages'))
    })
    await page.setViewportSize({ width: 1024, height: 800 - spare })
    const first = page.locator('.own').first()
    await first.hover()
    await first.getByRole('button', { name: 'Edit' }).click()
    const words = page.getByRole('textbox', { name: 'Your message in other words' })
    await expect.poll(() => inLog(words)).toBe(true)
    await pressComposing(words, 'Escape')
    await words.press('x')
    await words.press('Escape')
    // Focus goes back to what was pressed, and a key before that would go there.
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Edit')
    await own(page).getByRole('button', { name: 'Delete message' }).press('Enter')
    await button(page, 'Delete').click()
    await expect.poll(() => page.locator('.own').count()).toBe(1)
    await reply(page).getByRole('button', { name: 'Copy' }).waitFor()
    await expect.poll(() => button(page, 'Answer again').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('keep what was written about them until it is taken', async () => {
    const { page } = await visit('en', 1024)
    await ask(page, 'When are refunds paid?')
    await button(page, 'Poor answer').click()
    await page.fill('.comment textarea', 'It takes longer')
    await page.route('**/feedback', (route) => route.fulfill({ status: 503, body: '{}' }))
    await button(page, 'Send feedback').click()
    await page.getByText('The feedback could not be saved.').waitFor()
    await expect.poll(() => page.inputValue('.comment textarea')).toBe('It takes longer')
    await page.unroute('**/feedback')
    await button(page, 'Send feedback').click()
    await page.getByText('Thank you for your feedback.').waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.ariaLabel))
      .toBe('Poor answer')
  })

  it('are rated with reasons, on a phone in Arabic', { timeout: 60_000 }, async () => {
    const { page, faults } = await visit('ar', 360)
    await ask(page, 'When are refunds paid?')
    await page.locator('.reply button[aria-pressed]').nth(1).click()
    await page.getByRole('checkbox', { name: 'قديمة' }).check()
    await page.getByRole('checkbox', { name: 'خاطئة' }).check()
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    await noViolations(page)
    const sent = page.waitForRequest((request) => request.url().endsWith('/feedback'))
    await page.locator('.comment button[type=submit]').click()
    expect((await sent).postDataJSON()).toEqual({ value: 'down', reasons: ['outdated', 'wrong'] })
    await page.locator('.action-note', { hasText: /./u }).waitFor()
    expect(faults).toEqual([])
  })
})
