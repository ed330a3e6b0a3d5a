import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/config/names'
import { noMatchReply, richReply, sampleIn } from '../support/chat-samples'
import { ChatServer } from '../support/chat-server'
import {
  cutWords,
  horizontalOverflow,
  launchBrowser,
  openPage,
  smallTargets,
  takePicture,
} from './browser'
import { ask, openMenu, sourcesShown } from './chat'

let browser: Browser
let server: ChatServer

beforeAll(async () => {
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

/** A window at 100 %, and what is left of the widest one and of a phone's at 200 %. */
const WINDOWS = [
  { width: 320, height: 860 },
  { width: 768, height: 860 },
  { width: 1280, height: 860 },
  { width: 640, height: 430 },
  { width: 320, height: 256 },
]
const THEMES = ['light', 'dark'] as const

describe('every width, language and theme', () => {
  it.each(['en', 'ar', 'zh', 'ru'] as const)(
    '%s: nothing is cut off, nothing scrolls sideways, also at twice the size (#14)',
    { timeout: 120_000 },
    async (lang) => {
      const { page, faults } = await visit(lang, 1280, 'light')
      /** Looks at what the page shows in windows of these widths. */
      const look = async (name: string, ...widths: number[]) => {
        for (const size of WINDOWS.filter(
          ({ width }) => widths.length === 0 || widths.includes(width),
        )) {
          await page.setViewportSize(size)
          await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
          await expect.poll(() => cutWords(page)).toEqual([])
          const isRight = async () => {
            const bar = await page.locator('.brand').boundingBox()
            return (bar?.x ?? 0) + (bar?.width ?? 0) / 2 > size.width / 2
          }
          await expect.poll(isRight).toBe(lang === 'ar')
          const [themes, zoom] =
            size.height === 860 ? [THEMES, ''] : [['light' as const], '-zoomed']
          for (const colorScheme of themes) {
            await page.emulateMedia({ colorScheme })
            await takePicture(page, `${name}-${lang}-${colorScheme}-${size.width}${zoom}`)
          }
        }
      }
      const sample = sampleIn(lang)
      await look('empty')
      // In the widest one the text is 720 wide.
      const text = () =>
        page.locator('.composer').evaluate((field) => field.getBoundingClientRect().width)
      await page.setViewportSize({ width: 1280, height: 860 })
      await expect.poll(text).toBe(720)
      server.script = () => sample.frames
      await ask(page, sample.question)
      await sourcesShown(page)
      await look('reply')
      for (const [where, ...widths] of [
        ['.panel', 1280],
        ['.reply', 320, 640, 768],
      ] as const) {
        await page.setViewportSize({ width: widths[0], height: 860 })
        await page.locator('button.cite').first().click()
        await page.locator(`${where} .source.is-open mark`).waitFor()
        await page.locator(`${where} .source.is-open .neighbour summary`).first().click()
        await look('panel', ...widths)
      }
      server.script = () => noMatchReply()
      await ask(page, sample.question)
      await page.locator('.no-match').waitFor()
      await look('no-match')
      await openMenu(page)
      await look('menu')
      expect(faults).toEqual([])
    },
  )

  it.each(LANGUAGES)('the words of a choice stay in their fields: %s (#14.8)', async (lang) => {
    const { page, faults } = await visit(lang, 320, 'light')
    await openMenu(page)
    // The chosen one is the widest: its letters are bold.
    for (const choice of await page.locator('.segment-row input').all()) {
      await choice.check()
      await expect.poll(() => wordsOutside(page, '.segment-row label')).toEqual([])
    }
    expect(faults).toEqual([])
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
    await takePicture(page, 'zoom')
    await openMenu(page)
    const last = page.locator('.popover .menu-item').last()
    await last.focus()
    const menuBottom = () =>
      page.locator('.popover').evaluate((menu) => menu.getBoundingClientRect().bottom)
    await expect.poll(menuBottom).toBeLessThanOrEqual(240)
    const itemBottom = () => last.evaluate((item) => item.getBoundingClientRect().bottom)
    await expect.poll(itemBottom).toBeLessThanOrEqual(240)
    await takePicture(page, 'zoom-menu')
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
    await takePicture(page, 'print', { fullPage: true })
  })

  it('is usable with forced colours', async () => {
    const { page } = await visit('en', 768, 'dark')
    await page.emulateMedia({ forcedColors: 'active' })
    server.script = () => richReply()
    await ask(page, 'Question')
    await sourcesShown(page)
    await takePicture(page, 'forced-colors')
    const border = () =>
      page.locator('.bubble').evaluate((bubble) => getComputedStyle(bubble).borderTopWidth)
    await expect.poll(border).toBe('1px')
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
      await page.locator('.source-name').first().click()
      await page.locator('.neighbour').first().waitFor()
      await expect.poll(() => smallTargets(page, least)).toEqual([])
      await openMenu(page)
      await expect.poll(() => smallTargets(page, least)).toEqual([])
      await takePicture(page, `touch-${hasTouch}`)
    }
  })
})

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
