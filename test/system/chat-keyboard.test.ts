import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/config/names'
import { ROOT } from '../support/build-once'
import { reply } from '../support/chat-server'
import { RICH_SOURCES } from '../support/chat-sources'
import { pressComposing } from './browser'
import { answered, say } from './chat'
import { forVisits, server, visit } from './chat-visits'

forVisits()

describe('keyboard and screen reader', () => {
  it('asks and reads a source by keyboard alone', async () => {
    const page = await visit('/a/acme/front-desk', { viewport: { width: 800, height: 700 } })
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement
        const by = element?.getAttribute('aria-labelledby')
        const label = by ? document.getElementById(by) : null
        return (
          label?.textContent ?? element?.getAttribute('aria-label') ?? element?.textContent ?? ''
        )
      })
    const tabTo = async (name: string, key = 'Tab') => {
      for (let i = 0; i < 40; i++) {
        if ((await focused()) === name) return
        await page.keyboard.press(key)
      }
      throw new Error(`${name} cannot be reached, focus is on ${await focused()}`)
    }
    await tabTo('Message')
    await page.keyboard.type('Question')
    await page.keyboard.press('Enter')
    await answered(page)
    await expect.poll(focused).toBe('Message')
    await tabTo('Source 1: Returns and exchanges', 'Shift+Tab')
    await page.keyboard.press('Enter')
    // The mark that opened it has the same name: only the source's own button closes it.
    await page.waitForSelector('.source.is-open :focus')
    await expect.poll(focused).toContain('Returns and exchanges')
    await page.keyboard.press('Enter')
    await page.locator('.source.is-open').waitFor({ state: 'detached' })
    await tabTo('Menu', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('select')
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Menu')
    await tabTo('Conversation')
    const before = await page.locator('.log').evaluate((log) => log.scrollTop)
    await page.keyboard.press('PageDown')
    await page.waitForFunction(
      (top) => (document.querySelector('.log')?.scrollTop ?? 0) > top,
      before,
    )
  })

  it('takes the keyboard to a source that was opened before what shows it had come', async () => {
    const page = await visit('/a/acme/front-desk', { viewport: { width: 800, height: 700 } })
    const held: (() => Promise<void>)[] = []
    let holds = true
    // The answer itself comes through a late module, too: that one is let through.
    const assets = join(ROOT, 'public/assets')
    const showing = readdirSync(assets).filter(
      (name) =>
        /^chunk-.*\.js$/.test(name) && readFileSync(join(assets, name), 'utf8').includes('is-open'),
    )
    expect(showing).not.toEqual([])
    const isShowing = ({ pathname }: URL) => showing.some((name) => pathname.endsWith(`/${name}`))
    await page.route(isShowing, async (route) => {
      if (holds) held.push(() => route.continue())
      else await route.continue()
    })
    await page.fill('textarea', 'Question')
    await page.keyboard.press('Enter')
    const mark = page.locator('button.cite').first()
    await mark.waitFor()
    await expect.poll(() => held.length).toBeGreaterThan(0)
    await mark.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.source').count()).toBe(0)
    holds = false
    for (const go of held.splice(0)) await go()
    await page.waitForSelector('.source.is-open :focus')
  })

  it('goes past a long conversation: to the message field at once, or message by message (#14.8)', async () => {
    const page = await visit()
    const reply = (n: number) => ({
      ...{
        kind: 'reply',
        key: `r${n}`,
        messageId: null,
        state: 'done',
        text: `Answer ${n} [a](https://a.example)`,
      },
      ...{ stage: null, reasoning: '', tools: [], sources: [], suggestions: [], options: [] },
      ...{ form: null, cta: null, finishReason: 'stop', problem: null, feedback: null, at: 0 },
    })
    const entries = Array.from({ length: 21 }, (_, n) => reply(n))
    // What a page kept of its own chat goes with it.
    await page.close()
    await page
      .context()
      .addInitScript(
        (stored) => localStorage.setItem('parley:tenant-1:agent-1:chat', stored),
        JSON.stringify({ version: 1, userId: null, sessionId: null, entries, pending: null }),
      )
    const other = await page.context().newPage()
    await other.goto(`${server.origin}/a/acme/front-desk`)
    const items = other.locator('.messages > li')
    await expect.poll(() => items.count()).toBe(21)
    await expect.poll(() => items.locator('a:not([tabindex="-1"])').count()).toBe(1)
    await items.last().focus()
    await other.keyboard.press('ArrowUp')
    const focused = () => other.evaluate(() => document.activeElement?.textContent ?? '')
    await expect.poll(focused).toContain('Answer 19')
    await other.keyboard.press('Tab')
    await expect.poll(focused).toBe('a')
    await other.keyboard.press('Home')
    await other.getByRole('button', { name: 'Go to the message field' }).focus()
    await other.keyboard.press('Enter')
    await expect
      .poll(() => other.evaluate(() => document.activeElement?.localName))
      .toBe('textarea')
  })

  it('announces the start and the finished answer, once each', async () => {
    const page = await visit()
    await page.evaluate(() => {
      const said: string[] = []
      Object.assign(globalThis, { said })
      const region = document.querySelector('[data-announcer]')
      if (!region) throw new Error('no status region')
      new MutationObserver(() => {
        if (region.textContent) said.push(region.textContent)
      }).observe(region, {
        characterData: true,
        childList: true,
        subtree: true,
      })
    })
    const said = () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said)
    // An answer that is whole before its start was announced is announced alone.
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    server.script = () =>
      reply('Yes [1]. **Thirty** days.', {
        sources: RICH_SOURCES.slice(0, 1),
        size: 1,
        wait: 5,
        until: first.promise,
      })
    await say(page, 'Is it?')
    await expect.poll(said).toEqual(['Answering'])
    first.resolve()
    await answered(page)
    await expect.poll(said).toEqual(['Answering', 'Yes. Thirty days.'])
    server.script = () => reply('word '.repeat(400), { until: second.promise })
    await say(page, 'Long?')
    await expect.poll(said).toEqual(['Answering', 'Yes. Thirty days.', 'Answering'])
    second.resolve()
    await answered(page, 2)
    await expect
      .poll(said)
      .toEqual([
        'Answering',
        'Yes. Thirty days.',
        'Answering',
        expect.stringMatching(/^.{400,540}… More in the conversation\.$/),
      ])
    await expect.poll(() => page.getByRole('log').getAttribute('aria-live')).toBe('off')
  })

  it('names every message by author and time', async () => {
    const page = await visit()
    await say(page, 'Hi')
    await answered(page)
    const names = () =>
      page
        .locator('.messages > li')
        .evaluateAll((items) =>
          items.map(
            (li) => document.getElementById(li.getAttribute('aria-labelledby') ?? '')?.textContent,
          ),
        )
    await expect
      .poll(names)
      .toEqual([expect.stringMatching(/^You, \d/), expect.stringMatching(/^Front desk, \d/)])
  })

  it('does not send while an input method composes, nor on Shift+Enter', async () => {
    const page = await visit()
    await page.focus('textarea')
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
    await page.evaluate(() => {
      document
        .querySelector('textarea')
        ?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }),
        )
    })
    await pressComposing(page.locator('textarea'), 'Enter')
    await cdp.send('Input.insertText', { text: '日本' })
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('x')
    await expect.poll(() => page.inputValue('textarea')).toBe('日本\nx')
    expect(server.to('/v1/chat/stream')).toHaveLength(0)
  })

  it('follows the end only while the reader is there', async () => {
    const page = await visit('/a/acme/front-desk', { viewport: { width: 600, height: 500 } })
    const left = Promise.withResolvers<void>()
    server.script = () =>
      reply('line\n\n'.repeat(60), { size: 12, holdAt: 240, until: left.promise })
    await say(page, 'Write')
    await page.waitForFunction(() => (document.querySelector('.log')?.scrollTop ?? 0) > 200)
    await page.locator('.log').evaluate((log) => {
      log.scrollTop = 0
    })
    await page.locator('.pill').waitFor()
    left.resolve()
    await page.getByRole('button', { name: 'New reply' }).waitFor()
    await expect.poll(() => page.locator('.log').evaluate((log) => log.scrollTop)).toBe(0)
    await page.getByRole('button', { name: 'New reply' }).click()
    await answered(page)
    const distance = () =>
      page.locator('.log').evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight)
    await expect.poll(distance).toBeLessThan(2)
  })

  it('lets go of a reader who goes up by less than what came since', async () => {
    const page = await visit('/a/acme/front-desk', { viewport: { width: 600, height: 500 } })
    // Somebody who scrolls while each part is drawn, after the page went to its end.
    await page.locator('.log').evaluate((log) => {
      const scrolls = new ResizeObserver(() => {
        if (log.scrollTop > 0) log.scrollTop -= 100
      })
      scrolls.observe(log.querySelector('.column') ?? log)
    })
    server.script = () => reply('line\n\n'.repeat(200), { size: 60, wait: 20 })
    await say(page, 'Write')
    await page.locator('.pill').waitFor()
    await answered(page)
    await page.locator('.pill').waitFor()
  })
})

it.each(LANGUAGES)(
  'says in its language that sources are read for a longer answer: %s (#13.5)',
  async (lang) => {
    const words = (
      await import(`../../src/web/chat/locales/${lang}.json`, { with: { type: 'json' } })
    ).default
    const page = await visit(`/a/acme/front-desk?lang=${lang}`)
    const seen = Promise.withResolvers<void>()
    const status = { event: 'status', data: { stage: 'research', n: 1, of: 3, question: 'Why?' } }
    server.script = () => reply('Found.', { before: [status], until: seen.promise })
    await say(page, 'Compare')
    await expect.poll(() => page.locator('.reply .stage').textContent()).toBe(words.stageRetrieve)
    seen.resolve()
    await page.locator('.reply .md', { hasText: 'Found.' }).waitFor()
    await expect.poll(() => page.locator('.reply .stage').count()).toBe(0)
  },
)
