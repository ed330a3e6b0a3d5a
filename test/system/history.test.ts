import { readFile } from 'node:fs/promises'
import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { zoneAtNoon } from '../support/zone-at-noon'
import {
  horizontalOverflow,
  noViolationsInBoth,
  openPage,
  smallTargets,
  TOUCH,
  takePicture,
} from './browser'
import { openMenu } from './chat'
import { holdAnswer } from './hold-answer'
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

/** Unlike `ask` of `./chat` until the answer is shown as a whole: only then it counts as read. */
async function ask(page: Page, words: string): Promise<void> {
  await page.fill('.composer textarea', words)
  await page.press('.composer textarea', 'Enter')
  await page.locator('.reply .actions').first().waitFor()
}

/** What the entry of the open menu saves. */
async function downloadText(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name }).click(),
  ])
  return readFile(await file.path(), 'utf8')
}

/** More turns than two pages of messages have. */
const LONG = 205
const LISTS = /\/messages(\?|$)/
const LATER_LISTS = /\/messages\?before=/

/** The page of messages, of a chat of so many turns, that an address asks for. */
function listLong(address: string) {
  const created_at = '2026-11-22T10:00:00.000Z'
  const all = Array.from({ length: LONG }, (_, n) => [
    { id: `q${n + 1}`, role: 'user', content: `Hi ${n + 1}`, status: 'complete', created_at },
    { id: `a${n + 1}`, role: 'assistant', content: `Ho ${n + 1}`, status: 'complete', created_at },
  ]).flat()
  const before = new URL(address).searchParams.get('before')
  const end = before === null ? all.length : all.findIndex(({ id }) => id === before)
  return all.slice(Math.max(0, end - 200), end)
}

/** More chats than one page of the list has, and fewer than a visitor may begin in a minute. */
const MANY = 55

interface StoredChat {
  id: string
  title: string
  unread_count: number
}

async function headersOf(page: Page): Promise<Record<string, string>> {
  const token = await page.evaluate((id) => {
    const text = localStorage.getItem(`parley:${id}:visitor`)
    return text === null ? null : (JSON.parse(text).token as string)
  }, tenant.id)
  return { authorization: `Bearer ${token}` }
}

/** The chats of a visitor's token, as the server has them, the oldest first. */
async function chatsOf(page: Page): Promise<StoredChat[]> {
  const headers = await headersOf(page)
  const me = await parley.call('GET', '/me', { headers })
  const path = `/me/spaces/${me.json.space_id}/sessions`
  const { json } = await parley.call('GET', path, { headers })
  return json.items.sort((a: StoredChat, b: StoredChat) => a.id.localeCompare(b.id))
}

const stored = async (page: Page): Promise<string[]> =>
  (await chatsOf(page)).map(({ title }) => title).sort()

describe("a visitor's earlier chats", () => {
  it('have their place beside the conversation from the start, which stays where it is', async () => {
    const { page, faults } = await openPage(browser, parley.url.origin, {
      viewport: { width: 1440, height: 900 },
    })
    await page.addInitScript(() => {
      const seen = new Set<number>()
      Object.assign(globalThis, { seen })
      new MutationObserver(() => {
        const main = document.querySelector('.main')
        if (main) seen.add(main.getBoundingClientRect().left)
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=en`)
    await page.getByRole('navigation', { name: 'Earlier chats' }).waitFor()
    const places = () =>
      page.evaluate(() => [...(globalThis as unknown as { seen: Set<number> }).seen])
    await expect.poll(places).toEqual([280])
    expect(faults).toEqual([])
  })

  it('are found and named by a finger', async () => {
    const { page, faults } = await openPage(browser, parley.url.origin, TOUCH)
    await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=en`)
    await ask(page, 'When are refunds paid?')
    await openMenu(page)
    await page.getByRole('button', { name: 'Earlier chats' }).click()
    await page.getByRole('searchbox', { name: 'Search chats' }).waitFor()
    await expect.poll(() => smallTargets(page, 44)).toEqual([])
    await page.getByRole('button', { name: 'Rename or delete chats' }).click()
    await page.getByRole('textbox', { name: 'New name for' }).waitFor()
    await expect.poll(() => smallTargets(page, 44)).toEqual([])
    expect(faults).toEqual([])
  })

  it('are found, renamed, deleted and taken back, after New chat and a reload (#14.2)', {
    timeout: 90_000,
  }, async () => {
    const watched = await openPage(browser, parley.url.origin, {
      viewport: { width: 1440, height: 900 },
      timezoneId: zoneAtNoon(),
    })
    const { page, faults, strangers } = watched
    await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=en`)
    await ask(page, 'When are refunds paid?')
    await page.click('text=New chat')
    await page.locator('.reply').waitFor({ state: 'detached' })
    await ask(page, 'When does the office open?')
    await page.reload()

    const column = page.getByRole('navigation', { name: 'Earlier chats' })
    const rows = column.locator('li')
    await expect.poll(() => rows.count()).toBe(2)
    await column.getByRole('heading', { name: 'today' }).waitFor()
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    await column.getByRole('button', { name: /refund/i }).click()
    await page.locator('.own', { hasText: 'When are refunds paid?' }).waitFor()

    const listed: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/sessions?')) listed.push(request.url())
    })
    await column.getByRole('searchbox').fill('nine in the morning')
    await expect.poll(() => rows.count()).toBe(1)
    // A chat below all pages that were read is found as well.
    expect(listed).toEqual([])
    // Where the keyboard is, is seen on all sides.
    const room = () =>
      column.getByRole('searchbox').evaluate((field) => {
        const [inner, outer] = [field, field.closest('.history')].map((one) =>
          one?.getBoundingClientRect(),
        )
        if (!inner || !outer) return 0
        return Math.min(inner.left - outer.left, inner.top - outer.top)
      })
    await expect.poll(room).toBeGreaterThanOrEqual(4)
    await column.getByRole('searchbox').fill('zebra crossing')
    await column.getByText('Nothing was found.').waitFor()
    await column.getByRole('searchbox').fill('')
    await expect.poll(() => rows.count()).toBe(2)

    await column.getByRole('button', { name: 'Rename or delete chats' }).click()
    const names = column.getByRole('textbox', { name: /^New name/ })
    await expect.poll(() => names.count()).toBe(2)
    await names.first().fill('My own name')
    await names.first().press('Enter')
    await names.first().blur()
    await expect.poll(async () => (await stored(page)).includes('My own name')).toBe(true)

    const remove = column.getByRole('button', { name: 'Delete My own name' })
    await remove.click()
    await expect.poll(() => rows.count()).toBe(1)
    await column.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await remove.click()
    await expect.poll(async () => (await stored(page)).length, { timeout: 20_000 }).toBe(1)
    await expect.poll(async () => (await stored(page)).includes('My own name')).toBe(false)
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
    // One way to them is enough: the menu has theirs where the column has no room.
    await page.locator('.menu > button').click()
    await page.waitForSelector('.popover select')
    const entry = page.locator('.popover').getByText('Earlier chats')
    await expect.poll(() => entry.count()).toBe(0)
    await page.setViewportSize({ width: 1024, height: 800 })
    await expect.poll(() => entry.count()).toBe(1)
    await page.setViewportSize({ width: 1400, height: 800 })
    await expect.poll(() => entry.count()).toBe(0)
    await takePicture(page, 'history-column')
  })

  it.each(['en', 'ar'] as const)(
    'are in the menu where there is no room beside the conversation, in %s (#14.2)',
    { timeout: 60_000 },
    async (lang) => {
      const words = (
        await import(`../../src/web/chat/locales/${lang}.json`, { with: { type: 'json' } })
      ).default
      const { page, faults } = await openPage(browser, parley.url.origin, {
        viewport: { width: 390, height: 800 },
      })
      await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=${lang}`)
      await ask(page, 'When are refunds paid?')
      await page.locator('.menu > button').click()
      await page.getByRole('button', { name: words.history }).click()
      const row = page.locator('.popover .history li').first()
      await row.waitFor()
      const column = page.getByRole('navigation', { name: words.history })
      await expect.poll(() => column.count()).toBe(0)
      await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
      await takePicture(page, `history-menu-${lang}`)
      if (lang === 'en') {
        await noViolationsInBoth(page)
        await page.getByRole('button', { name: words.historyEdit }).click()
        await row.getByRole('textbox').waitFor()
        await noViolationsInBoth(page)
        await row.getByRole('button').last().click()
        await page.getByRole('button', { name: words.undo }).waitFor()
        await page.getByText(words.historyEmpty).waitFor()
        // The keyboard goes on where it is taken back.
        const focused = () => page.evaluate(() => document.activeElement?.textContent)
        await expect.poll(focused).toBe(words.undo)
        await noViolationsInBoth(page)
        await page.getByRole('button', { name: words.undo }).click()
        await page.locator('.own', { hasText: 'When are refunds paid?' }).waitFor()
        // It is offered for as long as it works.
        await page.locator('.menu > button').click()
        await row.getByRole('button').last().click()
        await page.getByRole('button', { name: words.undo }).waitFor()
        await page.getByRole('button', { name: words.undo }).waitFor({ state: 'detached' })
      }
      expect(faults).toEqual([])
    },
  )

  it('grow in every tab that shows them, wherever somebody asks', async () => {
    const { page, faults } = await openPage(browser, parley.url.origin)
    await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=en`)
    await ask(page, 'When are refunds paid?')
    const other = await page.context().newPage()
    const read = other.waitForResponse((response) => response.url().endsWith('/messages'))
    await other.goto(page.url())
    await read
    const said = (tab: Page) => tab.locator('.bubble').allTextContents()
    const two = ['When are refunds paid?', 'When does the office open?']
    await ask(page, 'When does the office open?')
    await expect.poll(() => said(other)).toEqual(two)
    await ask(other, 'Are refunds paid?')
    await expect.poll(() => said(page)).toEqual([...two, 'Are refunds paid?'])
    expect(faults).toEqual([])
  })

  it('grow in every tab also where a browser keeps but their end', {
    timeout: 60_000,
  }, async () => {
    const { page, faults } = await openPage(browser, parley.url.origin)
    await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=en`)
    await ask(page, 'Hello')
    const list = (route: Route) => route.fulfill({ json: listLong(route.request().url()) })
    await page.context().route(LISTS, list)
    const other = await page.context().newPage()
    const said = (tab: Page) => tab.locator('.bubble').allTextContents()
    for (const tab of [page, other]) {
      await tab.goto(page.url())
      await expect.poll(async () => (await said(tab)).length).toBe(100)
    }
    await ask(page, 'When are refunds paid?')
    const long = Array.from({ length: 100 }, (_, n) => `Hi ${LONG - 99 + n}`)
    await expect.poll(() => said(other)).toEqual([...long, 'When are refunds paid?'])
    await ask(other, 'When does the office open?')
    await expect
      .poll(() => said(page))
      .toEqual([...long, 'When are refunds paid?', 'When does the office open?'])
    await other.getByRole('button', { name: 'Earlier messages' }).waitFor()
    expect(faults).toEqual([])
  })

  it('come a page at a time, the newest first (#14.2)', { timeout: 90_000 }, async () => {
    const { page, faults } = await openPage(browser, parley.url.origin, {
      viewport: { width: 1440, height: 900 },
    })
    await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=en`)
    await ask(page, 'When are refunds paid?')
    const headers = await headersOf(page)
    for (let n = 2; n <= MANY; n++)
      await expectOk(
        parley.call('POST', '/v1/chat', {
          headers,
          body: { agent: 'Front desk', message: `Hi ${n}` },
        }),
      )
    await page.reload()
    const column = page.getByRole('navigation', { name: 'Earlier chats' })
    const rows = column.locator('li')
    const more = column.getByRole('button', { name: 'Show more' })
    await more.waitFor()
    await expect.poll(() => rows.count()).toBe(50)
    await expect.poll(() => column.getByRole('button', { name: /refund/i }).count()).toBe(0)
    await more.click()
    await expect.poll(() => rows.count()).toBe(MANY)
    await expect.poll(() => rows.last().textContent()).toMatch(/refund/i)
    await expect.poll(() => more.count()).toBe(0)
    expect(faults).toEqual([])
  })

  it.each(['en', 'ar'] as const)(
    'are read from their beginning, and saved from it, however long they are, in %s (#14.2, #14.8)',
    { timeout: 120_000 },
    async (lang) => {
      const [{ default: words }, { default: late }] = await Promise.all([
        import(`../../src/web/chat/locales/${lang}.json`, { with: { type: 'json' } }),
        import(`../../src/web/chat/app/locales/${lang}.json`, { with: { type: 'json' } }),
      ])
      const { page, faults } = await openPage(browser, parley.url.origin, {
        viewport: { width: 390, height: 800 },
      })
      await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=${lang}`)
      await ask(page, 'Hello')
      await page.route(LISTS, (route) => route.fulfill({ json: listLong(route.request().url()) }))
      await page.reload()
      const said = page.locator('.bubble')
      await expect.poll(() => said.count()).toBe(100)
      const log = page.locator('.log')
      const earlier = page.getByRole('button', { name: late.earlier })
      await earlier.waitFor()

      // What cannot be had is told, and can be asked for again.
      await page.route(LATER_LISTS, (route) => route.abort())
      await log.evaluate((box) => box.scrollTo(0, 0))
      await page.getByText(late.earlierFailed).waitFor()
      await takePicture(page, `earlier-${lang}`)
      if (lang === 'en') await noViolationsInBoth(page)
      const saved = () => downloadText(page, words.download)
      await openMenu(page)
      expect(await saved()).toMatch(new RegExp(`^${late.earlierFailed}\n[^]+ 205\n`))
      await page.locator('.popover').getByText(late.earlierFailed).waitFor()
      await page.keyboard.press('Escape')
      await page.unroute(LATER_LISTS)

      // What was read stays where it is.
      const place = () =>
        page.getByText('Hi 106', { exact: true }).evaluate((one) => one.getBoundingClientRect().top)
      const comes = Promise.withResolvers<void>()
      await page.route(LATER_LISTS, async (route) => {
        await comes.promise
        await route.fallback()
      })
      await earlier.click()
      await page.locator('.earlier').getByText(late.loading).waitFor()
      const before = await place()
      comes.resolve()
      await expect.poll(() => said.count()).toBe(200)
      await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThanOrEqual(1)
      await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)

      // The file has what is not shown yet.
      await openMenu(page)
      const text = await saved()
      expect(text.match(/^Hi \d+$/gm)).toEqual(
        Array.from({ length: LONG }, (_, n) => `Hi ${n + 1}`),
      )
      await expect.poll(() => page.locator('.popover').isVisible()).toBe(false)

      // An answer that comes meanwhile keeps what was read.
      await ask(page, 'Hi again')
      await expect.poll(() => said.count()).toBe(201)
      await log.evaluate((box) => box.scrollTo(0, 0))
      await expect.poll(() => said.count()).toBe(LONG + 1)
      await expect.poll(() => earlier.count()).toBe(0)
      await expect.poll(() => said.first().textContent()).toBe('Hi 1')
      expect(faults).toEqual([])
    },
  )

  it('are found below a page of chats with other agents (#14.2)', { timeout: 60_000 }, async () => {
    await seedAgent(tenant, 'Back office', { knowledge_bases: ['guide'] })
    await expectOk(tenant.call('PUT', '/v1/agents/Back%20office/alias', { alias: 'back-office' }))
    const { page, faults } = await openPage(browser, parley.url.origin, {
      viewport: { width: 1440, height: 900 },
    })
    await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=en`)
    await ask(page, 'When are refunds paid?')
    const headers = await headersOf(page)
    for (let n = 1; n <= 50; n++) {
      const body = { agent: 'Back office', message: `Hi ${n}` }
      await expectOk(parley.call('POST', '/v1/chat', { headers, body }))
    }
    await page.reload()
    const column = page.getByRole('navigation', { name: 'Earlier chats' })
    await column.getByRole('button', { name: /refund/i }).waitFor()
    expect(faults).toEqual([])
  })

  it('keep each what was not sent yet, and say that they come where it takes long', {
    timeout: 90_000,
  }, async () => {
    const { page, faults } = await openPage(browser, parley.url.origin, {
      viewport: { width: 1440, height: 900 },
    })
    await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=en`)
    const field = page.locator('.composer textarea')
    await ask(page, 'When are refunds paid?')
    await field.fill('And by which')
    await page.click('text=New chat')
    await expect.poll(() => field.inputValue()).toBe('')
    // What is written while the session comes to be stays with it.
    await page.route('**/v1/chat/stream', async (route) => {
      await field.fill('Also on')
      await route.continue()
    })
    await ask(page, 'When does the office open?')
    await expect.poll(() => field.inputValue()).toBe('Also on')
    await page.unrouteAll()
    await page.reload()
    await expect.poll(() => field.inputValue()).toBe('Also on')

    const column = page.getByRole('navigation', { name: 'Earlier chats' })
    await noViolationsInBoth(page)
    const comes = Promise.withResolvers<void>()
    await page.route('**/me/sessions/*/messages', async (route) => {
      await comes.promise
      await route.continue()
    })
    await column.getByRole('button', { name: /refund/i }).click()
    const skeleton = page.locator('.log .skeleton')
    await skeleton.getByText('Loading').waitFor({ state: 'attached' })
    await expect.poll(() => page.locator('.log').getAttribute('aria-busy')).toBe('true')
    await expect.poll(() => page.locator('.messages').isVisible()).toBe(false)
    await noViolationsInBoth(page)
    await takePicture(page, 'history-loading')
    comes.resolve()
    await page.locator('.own', { hasText: 'When are refunds paid?' }).waitFor()
    await expect.poll(() => skeleton.count()).toBe(0)
    await expect.poll(() => field.inputValue()).toBe('And by which')
    await column.getByRole('button', { name: /office/i }).click()
    await expect.poll(() => field.inputValue()).toBe('Also on')
    // What is deleted leaves nothing behind.
    await column.getByRole('button', { name: 'Rename or delete chats' }).click()
    await column.getByRole('button', { name: /^Delete .*office/i }).click()
    const drafts = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':draft')).length)
    await expect.poll(drafts, { timeout: 20_000 }).toBe(1)
    expect(faults).toEqual([])
  })

  it('have their new name also where a list that was asked for earlier comes after it', async () => {
    const { page, faults } = await openPage(browser, parley.url.origin, {
      viewport: { width: 1440, height: 900 },
    })
    await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=en`)
    await ask(page, 'When are refunds paid?')
    const column = page.getByRole('navigation', { name: 'Earlier chats' })
    await column.getByRole('button', { name: 'Rename or delete chats' }).click()
    const name = column.getByRole('textbox', { name: /^New name/ })
    await name.waitFor()
    const first = await holdAnswer(page, '**/sessions?limit=*')
    // After each turn the list is asked for.
    await ask(page, 'When does the office open?')
    await first.answered
    await name.fill('My own name')
    await name.blur()
    await column.getByRole('button', { name: 'Delete My own name' }).waitFor()
    const shown = await first.letGo('.history-column .history-edit button')
    expect(shown).toContain('Delete My own name')
    expect(faults).toEqual([])
  })

  it('say what came while somebody was elsewhere, until they are looked at (#14.2)', {
    timeout: 60_000,
  }, async () => {
    const { page, faults } = await openPage(browser, parley.url.origin, {
      viewport: { width: 1440, height: 900 },
    })
    await page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=en`)
    await ask(page, 'When are refunds paid?')
    await page.click('text=New chat')
    const unread = async () => (await chatsOf(page))[0]?.unread_count
    await expect.poll(unread).toBe(0)
    const [first] = await chatsOf(page)
    const body = {
      message: 'When does the office open?',
      session_id: first?.id,
      agent: 'Front desk',
    }
    await parley.call('POST', '/v1/chat', { headers: await headersOf(page), body })
    await page.reload()
    const row = page.locator('.history-column .menu-item').first()
    await row.getByText('2 new messages').waitFor()
    // The title keeps its place.
    const height = () => row.locator('span').evaluate((title) => title.clientHeight)
    await expect.poll(height).toBeLessThan(30)
    await row.click()
    await row.getByText('2 new messages').waitFor({ state: 'detached' })
    await page.click('text=New chat')
    await expect.poll(unread).toBe(0)
    expect(faults).toEqual([])
  })
})
