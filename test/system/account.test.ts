import { readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { type Bot, startTelegram, type TelegramServer } from '../support/telegram-server'
import {
  cutWords,
  horizontalOverflow,
  launchBrowser,
  noViolations,
  noViolationsInBoth,
  openPage,
  smallTargets,
  TOUCH,
  takePicture,
} from './browser'
import { ask, openMenu } from './chat'
import { startSite } from './site'

const PASSWORD = 'correct horse battery'

describe('the account area on the real Worker', () => {
  let browser: Browser
  let parley: Parley
  let telegram: TelegramServer
  let tenant: SeededTenant
  let bot: Bot
  let origin: string
  let people = 0

  beforeAll(async () => {
    browser = await launchBrowser()
    telegram = await startTelegram()
    parley = await startSite({ TELEGRAM_URL: telegram.url })
    origin = parley.url.origin
    tenant = await seedTenant(parley, { name: 'Acme' })
    await seedAgent(tenant, 'desk')
    await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'desk' }))
    bot = telegram.addBot()
    await expectOk(tenant.call('PUT', '/v1/tenant/channels/telegram', { token: bot.token }))
  })
  afterAll(async () => {
    await browser.close()
    await parley.close()
    await telegram.close()
  })

  const agentPage = (lang: string) => `${origin}/a/${tenant.alias}/desk?lang=${lang}`

  /** A signed-in person with something of everything, on the agent's page. */
  async function visit(lang = 'en', options: BrowserContextOptions = {}) {
    const email = `p${++people}@people.example`
    const body = { tenant_id: tenant.id, email, password: PASSWORD }
    const { json } = await expectOk(parley.call('POST', '/auth/register', { body }))
    const headers = { authorization: `Bearer ${json.access_token}` }
    const watched = await openPage(browser, origin, { reducedMotion: 'reduce', ...options })
    const { page } = watched
    await page.addInitScript(
      ([key, value]) => localStorage.setItem(key ?? '', value ?? ''),
      [
        `parley:${tenant.id}:visitor`,
        JSON.stringify({ token: json.access_token, expiresAt: Date.now() + 3_600_000 }),
      ],
    )
    await page.goto(agentPage(lang))
    await page.waitForSelector('textarea')
    const me = (method: string, path: string, sent?: unknown) =>
      parley.call(method, path, { headers, body: sent })
    return { ...watched, me }
  }
  async function openAccount(page: Page) {
    await openMenu(page)
    await page.locator('.menu-item').nth(-2).click()
    await page.waitForSelector('dialog.account .account-section')
    return page.locator('dialog.account')
  }
  const section = (page: Page, n: number) => page.locator('.account-section').nth(n)

  it('is reached by signing in from the chat, and left by signing out', async () => {
    const { page, faults, strangers } = await openPage(browser, origin)
    await page.goto(agentPage('en'))
    await openMenu(page)
    await page.click('text=Sign in')
    await page.click('text=Create account')
    await page.fill('#email', 'first@people.example')
    await page.fill('#password', PASSWORD)
    await page.click('button[type=submit]')
    await page.waitForURL(agentPage('en'))
    await page.waitForSelector('textarea')
    await openAccount(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog.account', { state: 'detached' })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Menu')
    await openMenu(page)
    await expect
      .poll(() => page.locator('.popover .menu-item').allTextContents())
      .toEqual(['Earlier chats', 'Download as text', 'Your account', 'Sign out'])
    await Promise.all([page.waitForEvent('load'), page.click('text=Sign out')])
    await page.waitForSelector('textarea')
    await openMenu(page)
    await page.waitForSelector('text=Sign in')
    await expect
      .poll(() =>
        page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith(':visitor'))),
      )
      .toEqual([])
    expect([faults, strangers]).toEqual([[], []])
  })

  it('what is sent while the page signs out is asked by the visitor who is there then (#14.1)', async () => {
    const { page, faults, strangers } = await openPage(browser, origin)
    const body = { tenant_id: tenant.id, email: 'leaving@people.example', password: PASSWORD }
    const { json } = await expectOk(parley.call('POST', '/auth/register', { body }))
    await page.goto(agentPage('en'))
    await page.evaluate(
      ([key, value]) => localStorage.setItem(key ?? '', value ?? ''),
      [
        `parley:${tenant.id}:visitor`,
        JSON.stringify({ token: json.access_token, expiresAt: Date.now() + 3_600_000 }),
      ],
    )
    await page.reload()
    await openMenu(page)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    const visitor = page.waitForRequest('**/auth/anonymous')
    await Promise.all([
      page.waitForEvent('load'),
      page.evaluate(async () => {
        const items = [...document.querySelectorAll<HTMLElement>('.menu-item')]
        items.find((item) => item.textContent === 'Sign out')?.click()
        const field = document.querySelector<HTMLTextAreaElement>('.composer textarea')
        if (!field) return
        field.value = 'Hello there'
        field.dispatchEvent(new Event('input', { bubbles: true }))
        // The composer has drawn itself before the document is gone.
        for (let turn = 0; turn < 10; turn++) await null
        field.form?.requestSubmit()
      }),
    ])
    await visitor
    await page.locator('.own', { hasText: 'Hello there' }).waitFor()
    await page.locator('.reply .actions').waitFor()
    await expect.poll(() => page.locator('.own').count()).toBe(1)
    expect([faults, strangers]).toEqual([[], []])
  })

  it('keeps the profile, and ties what is wrong to its field', async () => {
    const { page, faults, me } = await visit()
    await openAccount(page)
    await page.getByLabel('Name', { exact: true }).fill('Ada')
    await page.getByLabel('Phone').fill('12345')
    await page.getByLabel('Time zone').fill('Mars/Olympus')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.waitForSelector('.field-error')
    await expect.poll(() => page.getByLabel('Phone').getAttribute('aria-invalid')).toBe('true')
    await expect
      .poll(() => page.locator('.field-error').allTextContents())
      .toContain('This is not a phone number with its country code.')
    await page.getByLabel('Phone').fill('+4915112345678')
    await page.getByLabel('Time zone').fill('Europe/Paris')
    await page.getByLabel('City').fill('Paris')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.waitForSelector('text=Saved.')
    expect((await me('GET', '/me/profile')).json).toMatchObject({
      pref_name: 'Ada',
      contact_phone: '+4915112345678',
      pref_city: 'Paris',
      pref_timezone: 'Europe/Paris',
    })
    expect(faults).toEqual([])
  })

  it('makes, renames, merges and deletes spaces; what loses something wants the name typed', async () => {
    const { page, faults, me } = await visit()
    await openAccount(page)
    const spaces = section(page, 2)
    // What nobody has named says once that it is the default (#14.8).
    await expect
      .poll(() => spaces.locator('.item').first().locator('strong, .badge').allTextContents())
      .toEqual(['Default'])
    const names = async () =>
      (await me('GET', '/me/spaces')).json.map(({ name }: { name: string }) => name).sort()
    for (const name of ['Work', 'Travel']) {
      await spaces.getByLabel('Name of the space').fill(name)
      await spaces.getByRole('button', { name: 'Create space' }).click()
      await spaces.locator('.item strong', { hasText: name }).waitFor()
    }
    await expect
      .poll(() => spaces.locator('.item').first().getByRole('button').allTextContents())
      .toEqual(['Rename'])
    const row = (name: string) => spaces.locator('.item', { hasText: name })
    await row('Work').getByRole('button', { name: 'Rename' }).click()
    await row('Work').getByLabel('Name of the space').fill('Office')
    await row('Work').getByRole('button', { name: 'Save' }).click()
    await spaces.locator('.item strong', { hasText: 'Office' }).waitFor()

    await row('Office').getByRole('button', { name: 'Merge' }).first().click()
    await spaces.getByLabel('Merge into').selectOption({ label: 'Travel' })
    await spaces.locator('.confirm p', { hasText: 'move to “Travel”' }).waitFor()
    const merge = spaces.locator('.confirm button[type=submit]')
    await expect.poll(() => merge.getAttribute('aria-disabled')).toBe('true')
    await spaces.getByLabel('Type Office to confirm').fill('Offi')
    await page.keyboard.press('Enter')
    expect(await names()).toEqual(['Default', 'Office', 'Travel'])
    await spaces.getByLabel('Type Office to confirm').fill('Office')
    await merge.click()
    await row('Office').waitFor({ state: 'detached' })
    await expect.poll(names).toEqual(['Default', 'Travel'])

    await row('Travel').getByRole('button', { name: 'Delete' }).click()
    await spaces.getByLabel('Type Travel to confirm').fill('Travel')
    await spaces.locator('.confirm button[type=submit]').click()
    await row('Travel').waitFor({ state: 'detached' })
    await expect.poll(names).toEqual(['Default'])
    expect(faults).toEqual([])
  })

  it('links a messaging app by code and QR code, sees that it is linked, and lets go of it', async () => {
    const { page, faults, strangers, me } = await visit()
    await openAccount(page)
    await page.getByRole('button', { name: 'Link Telegram' }).click()
    const code = (await page.locator('.bind-code').textContent())?.trim() ?? ''
    const link = page.getByRole('link', { name: 'Open Telegram' })
    await expect
      .poll(() => link.getAttribute('href'))
      .toBe(`https://t.me/${bot.username}?start=${code}`)
    const qr = page.getByAltText('QR code that opens Telegram')
    await expect
      .poll(() => qr.evaluate((img) => (img as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(20)
    await telegram.say(bot, 8_000_001, { text: `/start ${code}` })
    await page.waitForSelector(`text=Linked with @${bot.username}. You talk to desk there.`)
    expect((await me('GET', '/me/channels')).json[0].linked).toBe(true)
    await page.getByRole('button', { name: 'End the link' }).click()
    await page.getByRole('button', { name: 'Link Telegram' }).waitFor()
    expect((await me('GET', '/me/channels')).json[0].linked).toBe(false)
    expect([faults, strangers]).toEqual([[], []])
  })

  it('shows reminders to cancel and remove, and what is remembered to forget', async () => {
    const { page, faults, me } = await visit()
    await expectOk(me('POST', '/me/reminders', { text: 'Secret words', due_at: 'PT5H' }))
    await expectOk(
      me('POST', '/v1/chat', { message: 'My favourite colour is green. I live in Oslo.' }),
    )
    await waitFor(async () => ((await me('GET', '/me/remembered')).json.length > 0 ? true : null))
    await openAccount(page)
    const reminders = section(page, 3)
    await reminders.getByRole('button', { name: 'Cancel reminder' }).click()
    await reminders.locator('text=cancelled').waitFor()
    await expect.poll(() => reminders.textContent()).not.toContain('Secret words')
    await reminders.getByRole('button', { name: 'Delete' }).click()
    await reminders.locator('text=No reminders.').waitFor()

    const remembered = section(page, 4)
    await remembered.locator('text=What desk remembers').waitFor()
    await remembered.getByRole('button', { name: 'Forget this: desk' }).click()
    await remembered.locator('.confirm button[type=submit]').click()
    await remembered.locator('text=Nothing is remembered.').waitFor()
    await expect.poll(async () => (await me('GET', '/me/remembered')).json).toEqual([])
    expect(faults).toEqual([])
  })

  it('plans a reminder by a form, and says when its time cannot be', async () => {
    const { page, faults, me } = await visit()
    await openAccount(page)
    const reminders = section(page, 3)
    await reminders.locator('text=No reminders.').waitFor()
    await reminders.getByLabel('Remind me of').fill('Water the plants')
    await reminders.getByLabel('When').fill('2020-01-01T10:00')
    await reminders.getByRole('button', { name: 'Remind me' }).click()
    await reminders.locator('.said.is-bad').waitFor()
    const soon = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 16)
    await expect
      .poll(() => reminders.getByLabel('Remind me of').inputValue())
      .toBe('Water the plants')
    await reminders.getByLabel('When').fill(soon)
    await reminders.getByRole('button', { name: 'Remind me' }).click()
    await reminders.locator('.item').waitFor()
    const { json } = await expectOk(me('GET', '/me/reminders'))
    expect(json.items).toMatchObject([{ status: 'pending', source: 'manual' }])
    expect(faults.filter((fault) => !fault.includes('422'))).toEqual([])
  })

  it('takes a document of a space, shows when it is ready, and deletes it after a question', async () => {
    const { page, faults, me } = await visit()
    await openAccount(page)
    const documents = section(page, 5)
    await documents.locator('text=No documents.').waitFor()
    const { json: spaces } = await expectOk(me('GET', '/me/spaces'))
    const listed = async () =>
      (await me('GET', `/me/spaces/${spaces[0].id}/documents`)).json.items.length
    await documents.getByLabel('Add a document').setInputFiles({
      name: 'trip.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Trip\n\nThe ferry leaves at nine.\n'),
    })
    await documents.locator('.item', { hasText: 'trip.md' }).locator('text=ready').waitFor()
    expect(await listed()).toBe(1)
    await noViolationsInBoth(page)
    await takePicture(page.locator('dialog.account'), 'account-documents')
    await documents.getByRole('button', { name: 'Delete' }).click()
    await documents.locator('.confirm button[type=submit]').click()
    await documents.locator('text=No documents.').waitFor()
    expect(await listed()).toBe(0)
    expect(faults).toEqual([])
  })

  it('takes a new password, goes on here and ends the other devices', async () => {
    const { page, faults, me } = await visit()
    await openAccount(page)
    const account = section(page, 7)
    await account.getByLabel('Current password').fill('not the password')
    await account.getByLabel('New password').fill(`${PASSWORD} 2`)
    await account.getByRole('button', { name: 'Change password' }).click()
    await account.locator('.field-error', { hasText: 'This is not the password.' }).waitFor()
    await account.getByLabel('Current password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await account.locator('text=Password changed.').waitFor()
    expect((await me('GET', '/me')).status).toBe(401)
    await account.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await account.locator('.said', { hasText: /^All other devices are signed out/ }).waitFor()
    // This one goes on with the token that came with it.
    await section(page, 0).getByRole('button', { name: 'Save' }).click()
    await page.waitForSelector('text=Saved.')
    expect(faults.filter((fault) => !fault.includes('422'))).toEqual([])
  })

  it('leaves nothing of a person on a device whose sign-in was ended elsewhere (#14.6)', async () => {
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 1440, height: 900 },
    })
    const body = { tenant_id: tenant.id, email: 'away@people.example', password: PASSWORD }
    const { json } = await expectOk(parley.call('POST', '/auth/register', { body }))
    await page.goto(agentPage('en'))
    await page.evaluate(
      ([key, value]) => localStorage.setItem(key ?? '', value ?? ''),
      [
        `parley:${tenant.id}:visitor`,
        JSON.stringify({ token: json.access_token, expiresAt: Date.now() + 3_600_000 }),
      ],
    )
    await page.reload()
    await ask(page, 'Hello there')
    const chats = page.getByRole('navigation', { name: 'Earlier chats' })
    await chats.getByText('Hello there').waitFor()
    const kept = () =>
      page.evaluate(async () => {
        const bases = await indexedDB.databases()
        return [...Object.values(localStorage), ...bases.map(({ name }) => name)].join()
      })
    await expect.poll(kept).toContain('Hello there')
    const headers = { authorization: `Bearer ${json.access_token}` }
    await expectOk(parley.call('POST', '/me/sign-out-everywhere', { headers }))
    await page.reload()
    await chats.getByText('No earlier chats.').waitFor()
    await expect.poll(() => page.locator('.log').textContent()).not.toContain('Hello there')
    await expect.poll(kept).not.toMatch(/Hello there|history/)
    await openMenu(page)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect(faults).toEqual([])
  })

  it('asks for a link to another address, by the password', async () => {
    const { page, faults } = await visit()
    await openAccount(page)
    const account = section(page, 7)
    await account.getByLabel('New e-mail address').fill('nobody')
    await account.getByLabel('Your password').fill('not the password')
    await account.getByRole('button', { name: 'Change e-mail address' }).click()
    await account.locator('.field-error', { hasText: 'This is not an e-mail address.' }).waitFor()
    await account.getByLabel('New e-mail address').fill(`new${people}@people.example`)
    await page.keyboard.press('Enter')
    await account.locator('.field-error', { hasText: 'This is not the password.' }).waitFor()
    await noViolationsInBoth(page)
    await account.getByLabel('Your password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await account.locator('.said', { hasText: 'a link is on its way to it' }).waitFor()
    await takePicture(account, 'account-email')
    expect(faults.filter((fault) => !fault.includes('422'))).toEqual([])
  })

  it('deletes the account once a word and the password are typed, and gives a receipt', async () => {
    const { page, faults, me } = await visit()
    await openAccount(page)
    const account = section(page, 7)
    await account.getByRole('button', { name: 'Delete my account' }).click()
    const end = account.locator('.confirm button[type=submit]')
    await expect.poll(() => end.getAttribute('aria-disabled')).toBe('true')
    await noViolationsInBoth(page)
    await account.locator('.confirm').getByLabel('Current password').fill('not the password')
    await account.getByLabel('Type delete to confirm').fill('delete')
    await end.click()
    await account.locator('.confirm .field-error').waitFor()
    expect((await me('GET', '/me')).status).toBe(200)
    await account.locator('.confirm').getByLabel('Current password').fill(PASSWORD)
    await end.click()
    const farewell = page.locator('dialog.account [role=alert]')
    await farewell.locator('text=Your account is deleted.').waitFor()
    await expect.poll(() => farewell.locator('code').textContent()).toMatch(/^[\w-]{8,}$/)
    await takePicture(page.locator('dialog.account'), 'account-deleted')
    expect((await me('GET', '/me')).status).toBe(401)
    await noViolationsInBoth(page)
    expect(faults.filter((fault) => !fault.includes('422'))).toEqual([])
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  })

  it('collects all that is kept, says when it is there, and gives it again on the next visit', async () => {
    const { page, faults, me } = await visit()
    await expectOk(me('POST', '/v1/chat', { message: 'Hello there.' }))
    const account = await openAccount(page)
    const own = account.locator('.account-section', { hasText: 'Your data' })
    await own.getByRole('button', { name: 'Export my data' }).click()
    await own.locator('text=Your export is ready.').waitFor()
    await takePicture(own, 'account-export')
    await page.reload()
    await page.waitForSelector('textarea')
    await openAccount(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      own.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('export.zip')
    const files = unzipSync(await readFile(await file.path()))
    const names = Object.keys(files).map((name) => name.split('/').at(-1))
    expect(names).toEqual(expect.arrayContaining(['account.json', 'messages-1.json']))
    expect(faults).toEqual([])
  })

  it('says when the sign-in has ended', async () => {
    const { page } = await visit()
    await page.route('**/me/spaces', (route) => route.fulfill({ status: 401, body: '{}' }))
    await openMenu(page)
    await page.locator('.menu-item').nth(-2).click()
    await page.waitForSelector('text=Your sign-in has expired. Please sign in again.')
  })

  it('gives fingers targets of 44 pixels', async () => {
    const { page } = await visit('en', TOUCH)
    await expect.poll(() => smallTargets(page, 44)).toEqual([])
    await openAccount(page)
    await expect.poll(() => smallTargets(page, 44)).toEqual([])
  })

  it.each(['en', 'ar', 'zh', 'ru'] as const)(
    'is accessible and fits every width: %s (#14)',
    { timeout: 60_000 },
    async (lang) => {
      const { page, faults, me } = await visit(lang, { viewport: { width: 1280, height: 900 } })
      await expectOk(
        me('POST', '/me/spaces', { name: 'A space with a rather long name for a phone' }),
      )
      await expectOk(me('POST', '/me/reminders', { text: 'x', due_at: 'PT5H', agent: 'desk' }))
      await expectOk(
        me('POST', '/v1/chat', { message: 'My favourite colour is green. I live in Oslo.' }),
      )
      await waitFor(async () => ((await me('GET', '/me/remembered')).json.length > 0 ? true : null))
      const dialog = await openAccount(page)
      await page.locator('.app-link').getByRole('button').first().click()
      await page.locator('.qr').waitFor()
      await section(page, 2).locator('.item').last().getByRole('button').nth(1).click()
      await page.locator('.confirm').waitFor()
      await section(page, 4).locator('.item').waitFor()
      // What was written from left to right has its bullets there, inside of the card.
      const points = section(page, 4).locator('.points')
      await expect.poll(() => points.evaluate((el) => getComputedStyle(el).direction)).toBe('ltr')
      if (lang === 'en' || lang === 'ar') await noViolations(page)
      const body = page.locator('.account-body')
      for (const width of [320, 640, 768, 1280]) {
        await page.setViewportSize({ width, height: width === 640 ? 430 : 900 })
        await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
        await expect.poll(() => cutWords(page)).toEqual([])
        await expect
          .poll(() => body.evaluate((el) => el.scrollWidth - el.clientWidth))
          .toBeLessThanOrEqual(0)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          for (const [part, top] of Object.entries({ top: 0, middle: 620, end: 99_999 })) {
            await body.evaluate((el, at) => el.scrollTo(0, at), top)
            await takePicture(dialog, `account-${lang}-${colorScheme}-${width}-${part}`)
          }
        }
      }
      expect(faults).toEqual([])
    },
  )
})
