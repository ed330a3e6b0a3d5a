import { mkdir } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/config/names'
import { noMatchReply, richReply, sampleIn } from '../support/chat-samples'
import { ChatServer, reply } from '../support/chat-server'
import { horizontalOverflow, launchBrowser, openPage, violations } from './browser'
import { ask, openMenu, sourcesShown } from './chat'

const SHOTS = 'dist/screenshots'

let browser: Browser
let server: ChatServer

beforeAll(async () => {
  await mkdir(SHOTS, { recursive: true })
  browser = await launchBrowser()
  server = new ChatServer()
  await server.start()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

async function visit(
  lang: string,
  width: number,
  colorScheme: 'light' | 'dark',
  height = 860,
): Promise<{ page: Page; faults: string[] }> {
  const watched = await openPage(browser, server.origin, {
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
  })
  const { page, faults } = watched
  await page.goto(`${server.origin}/a/acme/front-desk?lang=${lang}`)
  await page.waitForSelector('textarea')
  return { page, faults }
}

describe('accessibility rules', () => {
  for (const lang of ['en', 'ar'] as const) {
    it(`finds nothing to complain about in a conversation, in ${lang}`, async () => {
      const { page, faults } = await visit(lang, 1280, 'light')
      await expect.poll(() => violations(page)).toEqual([])
      server.script = () => richReply()
      await ask(page, 'Question')
      await sourcesShown(page)
      await expect.poll(() => violations(page)).toEqual([])
      await page.locator('button.cite').first().click()
      await page.locator('.panel .source.is-open mark').waitFor()
      await expect.poll(() => violations(page)).toEqual([])
      await page.locator('.source button').nth(1).click()
      await page.locator('.reply .source.is-open mark').waitFor()
      await expect.poll(() => violations(page)).toEqual([])
      server.script = () => noMatchReply()
      await ask(page, 'Nothing')
      await page.locator('.no-match').waitFor()
      await expect.poll(() => violations(page)).toEqual([])
      await openMenu(page)
      await expect.poll(() => violations(page)).toEqual([])
      expect(faults).toEqual([])
      await page.context().close()
    })

    it(`finds nothing to complain about in what a reply asks for, in ${lang}`, async () => {
      const { page, faults } = await visit(lang, 1280, 'dark')
      server.script = () => [
        { event: 'reasoning', data: { text: 'Thinking.' } },
        { event: 'tool', data: { id: '1', name: 'weather', state: 'done' } },
        { event: 'cta', data: { title: 'Book a visit', url: 'https://acme.example/visit' } },
        { event: 'storyline', data: { id: 's', name: 'Start', progress: { done: 2, total: 4 } } },
        {
          event: 'form',
          data: {
            title: 'Form',
            fields: [
              { name: 'a', label: 'Name', required: true, help: 'As on the invoice' },
              { name: 'b', label: 'When', type: 'date' },
              { name: 'c', label: 'Colours', type: 'multiselect', options: ['Red', 'Blue'] },
              { name: 'd', label: 'Text', type: 'textarea' },
              { name: 'e', label: 'Choice', type: 'select', options: ['One', 'Two'] },
            ],
          },
        },
        { event: 'clarify', data: { question: 'Which?', options: ['This', 'That'] } },
        { event: 'done', data: { reply: 'Please fill in.', finish_reason: 'form' } },
      ]
      await ask(page, 'Form')
      await page.locator('form.card button[type=submit]').click()
      await page.locator('.field-error').waitFor()
      // What is wrong is told by the field too, not only below it.
      const colours = () =>
        page.locator('form.card').evaluate((form) => {
          const [field, error] = ['[aria-invalid=true]', '.field-error'].map((one) =>
            form.querySelector(one),
          )
          if (!field || !error) return null
          return getComputedStyle(field).borderTopColor === getComputedStyle(error).color
        })
      await expect.poll(colours).toBe(true)
      await page.locator('.reasoning summary').click()
      await page.locator('.cta').waitFor()
      await expect.poll(() => violations(page)).toEqual([])
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: `${SHOTS}/form-${lang}-${colorScheme}.png` })
      }
      server.script = () => ({ status: 500, body: { detail: 'Internal Server Error' } })
      await ask(page, 'Fail')
      const looked = Promise.withResolvers<void>()
      server.script = () => reply('x', { until: looked.promise })
      await page.locator('.problem button').click()
      await page.locator('.stage').waitFor()
      await expect.poll(() => violations(page)).toEqual([])
      looked.resolve()
      expect(faults).toEqual([])
      await page.context().close()
    })
  }
})

describe('every width, language and theme', () => {
  for (const lang of ['en', 'ar', 'zh', 'ru'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      for (const width of [320, 768, 1280]) {
        it(`${lang} ${theme} ${width}: nothing is cut off, nothing scrolls sideways`, async () => {
          const { page, faults } = await visit(lang, width, theme)
          const name = `${lang}-${theme}-${width}`
          await page.screenshot({ path: `${SHOTS}/empty-${name}.png` })
          const sample = sampleIn(lang)
          server.script = () => sample.frames
          await ask(page, sample.question)
          await sourcesShown(page)
          await page.screenshot({ path: `${SHOTS}/reply-${name}.png` })
          await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
          await expect.poll(() => cutWords(page)).toEqual([])
          const isRight = async () => {
            const bar = await page.locator('.brand').boundingBox()
            return (bar?.x ?? 0) + (bar?.width ?? 0) / 2 > width / 2
          }
          await expect.poll(isRight).toBe(lang === 'ar')
          await page.locator('button.cite').first().click()
          await page.locator('.source.is-open mark').waitFor()
          await page.locator('.source.is-open .neighbour summary').first().click()
          await page.locator('button.cite').first().hover()
          await page.screenshot({ path: `${SHOTS}/panel-${name}.png` })
          await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
          await expect.poll(() => cutWords(page)).toEqual([])
          server.script = () => noMatchReply()
          await ask(page, sample.question)
          await page.locator('.no-match').waitFor()
          await page.screenshot({ path: `${SHOTS}/no-match-${name}.png` })
          await expect.poll(() => cutWords(page)).toEqual([])
          await openMenu(page)
          await page.screenshot({ path: `${SHOTS}/menu-${name}.png` })
          await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
          await expect.poll(() => cutWords(page)).toEqual([])
          expect(faults).toEqual([])
          await page.context().close()
        })
      }
    }
  }

  it.each(LANGUAGES)('the words of a choice stay in their fields: %s (#14.8)', async (lang) => {
    const { page, faults } = await visit(lang, 320, 'light')
    await openMenu(page)
    // The chosen one is the widest: its letters are bold.
    for (const choice of await page.locator('.segment-row input').all()) {
      await choice.check()
      await expect.poll(() => wordsOutside(page, '.segment-row label')).toEqual([])
    }
    expect(faults).toEqual([])
    await page.context().close()
  })

  it.each(['en', 'ar'])('a form is no wider than a narrow page: %s (#14.8)', async (lang) => {
    const { page, faults } = await visit(lang, 320, 'light')
    const long = 'A choice in so many words that no narrow page has room for all of them'
    const fields = [
      { name: 'a', label: 'Choice', type: 'select', options: [long, 'Two'], required: true },
      { name: 'b', label: 'When', type: 'date' },
      { name: 'c', label: 'Which', type: 'multiselect', options: [long, 'x'.repeat(60)] },
      { name: 'd', label: 'Text', type: 'textarea' },
    ]
    server.script = () => [
      { event: 'form', data: { title: 'Form', fields } },
      { event: 'done', data: { reply: 'Please fill in.', finish_reason: 'form' } },
    ]
    await ask(page, 'Form')
    await page.locator('form.card button[type=submit]').click()
    await page.locator('.field-error').waitFor()
    await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
    await expect.poll(() => wordsOutside(page, '.field label')).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('keeps everything in reach at 200 % zoom of a small window', async () => {
    // 640 × 480 at 200 % is a window of 320 × 240 CSS pixels.
    const { page } = await visit('en', 320, 'light', 240)
    server.script = () => richReply()
    await ask(page, 'Question')
    await sourcesShown(page)
    await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
    const bottom = () =>
      page.locator('.composer').evaluate((composer) => composer.getBoundingClientRect().bottom)
    await expect.poll(bottom).toBeLessThanOrEqual(240)
    await page.screenshot({ path: `${SHOTS}/zoom.png` })
    await openMenu(page)
    const last = page.locator('.popover .menu-item').last()
    await last.focus()
    const menuBottom = () =>
      page.locator('.popover').evaluate((menu) => menu.getBoundingClientRect().bottom)
    await expect.poll(menuBottom).toBeLessThanOrEqual(240)
    const itemBottom = () => last.evaluate((item) => item.getBoundingClientRect().bottom)
    await expect.poll(itemBottom).toBeLessThanOrEqual(240)
    await page.screenshot({ path: `${SHOTS}/zoom-menu.png` })
    await page.context().close()
  })

  it('documents that came closest stay in their frames once the conversation went on', async () => {
    const { page } = await visit('en', 768, 'light')
    server.script = () => noMatchReply()
    await ask(page, 'Nothing')
    await page.locator('button.chip .chip-title').waitFor()
    server.script = () => richReply()
    await ask(page, 'Question')
    const chip = page.locator('span.chip', { has: page.locator('.chip-title') })
    const lines = () =>
      chip.evaluate((frame) => {
        const [outer, inner] = [frame, frame.querySelector('.chip-title')].map((one) =>
          one?.getBoundingClientRect(),
        )
        return outer && inner && inner.bottom < outer.bottom && inner.left > outer.left
      })
    await expect.poll(lines).toBe(true)
    await page.context().close()
  })

  it('is printed as a whole, in dark letters, without what can only be pressed', async () => {
    const { page } = await visit('en', 768, 'dark')
    const frames = richReply()
    server.script = () => frames
    for (const question of ['One', 'Two']) await ask(page, question)
    await sourcesShown(page)
    const log = page.locator('.log')
    const isWhole = () => log.evaluate((one) => one.scrollHeight <= one.clientHeight)
    await expect.poll(isWhole).toBe(false)
    await page.emulateMedia({ media: 'print' })
    await expect.poll(isWhole).toBe(true)
    const height = () => page.evaluate(() => document.documentElement.scrollHeight)
    await expect.poll(height).toBeGreaterThan(860)
    await expect.poll(() => page.locator('button:visible:not(.cite, .source *)').count()).toBe(0)
    const ink = () => log.evaluate((one) => getComputedStyle(one).color)
    await expect.poll(ink).toBe('rgb(0, 0, 0)')
    await page.screenshot({ path: `${SHOTS}/print.png`, fullPage: true })
    await page.context().close()
  })

  it('is usable with forced colours', async () => {
    const { page } = await visit('en', 768, 'dark')
    await page.emulateMedia({ forcedColors: 'active' })
    server.script = () => richReply()
    await ask(page, 'Question')
    await sourcesShown(page)
    await page.screenshot({ path: `${SHOTS}/forced-colors.png` })
    const border = () =>
      page.locator('.bubble').evaluate((bubble) => getComputedStyle(bubble).borderTopWidth)
    await expect.poll(border).toBe('1px')
    await page.context().close()
  })

  it('gives fingers targets of 44 pixels and pointers of 24', async () => {
    server.script = () => richReply()
    for (const [hasTouch, least] of [
      [false, 24],
      [true, 44],
    ] as const) {
      const { page } = await openPage(browser, server.origin, {
        viewport: { width: 390, height: 800 },
        hasTouch,
        isMobile: hasTouch,
      })
      await page.goto(`${server.origin}/a/acme/front-desk`)
      await page.waitForSelector('textarea')
      await ask(page, 'Question')
      await sourcesShown(page)
      await expect.poll(() => smallTargets(page, least)).toEqual([])
      await openMenu(page)
      await expect.poll(() => smallTargets(page, least)).toEqual([])
      await page.screenshot({ path: `${SHOTS}/touch-${hasTouch}.png` })
      await page.context().close()
    }
  })
})

/** Visible words that their own box cuts off without an ellipsis or a way to scroll. */
function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#app *')]
      .filter((element) => {
        const style = getComputedStyle(element)
        if (element.closest('.sr, .log, .panel-list, [hidden]') === element) return false
        if (element.closest('.sr, pre, .table-scroll, .bar-label, textarea, select')) return false
        const hides = style.overflowX === 'hidden' || style.overflowX === 'clip'
        return (
          hides &&
          style.textOverflow !== 'ellipsis' &&
          element.scrollWidth > element.clientWidth + 1
        )
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  )
}

/** What these elements say beyond their own edges. */
function wordsOutside(page: Page, selector: string): Promise<(string | null)[]> {
  return page.evaluate((wanted) => {
    const range = document.createRange()
    return [...document.querySelectorAll(wanted)]
      .filter((element) => {
        range.selectNodeContents(element.lastElementChild ?? element)
        const [words, field] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
        return words.left < field.left || words.right > field.right
      })
      .map(({ textContent }) => textContent)
  }, selector)
}

/** Buttons and links whose target is smaller than this; inline links in text are exempt, as in WCAG. */
function smallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate(
    (px) =>
      [...document.querySelectorAll<HTMLElement>('button, select, summary, .md a, .source a')]
        .filter((element) => element.checkVisibility() && !element.matches('.md a'))
        .flatMap((element) => {
          const box = element.getBoundingClientRect()
          const extra = getComputedStyle(element, '::after')
          const grow =
            extra.content === 'none' || extra.position !== 'absolute'
              ? 0
              : -2 * Number.parseFloat(extra.insetBlockStart)
          const [width, height] = [box.width + grow, box.height + grow]
          if (width >= px - 0.5 && height >= px - 0.5) return []
          return [`${element.className} ${Math.round(width)} × ${Math.round(height)}`]
        }),
    least,
  )
}
