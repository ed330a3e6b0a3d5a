import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Locator,
  type Page,
} from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  // What a process of its own would draw costs a seventh more.
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Debian's. */
const WHOLE_BROWSER = '/usr/bin/chromium'
/** The same engine without windows, for 0.6 times the CPU. It does not keep the storage of a frame apart by the site around it. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** @param isWhole for pages whose frames belong to another site than they do */
export function launchBrowser(
  args: readonly string[] = [],
  { isWhole = false } = {},
): Promise<Browser> {
  const installed = !isWhole && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : WHOLE_BROWSER
  const executablePath = process.env.CHROMIUM_PATH ?? installed
  return chromium.launch({ executablePath, args: [...ARGS, ...args] })
}

/** A page that keeps a record of everything that must not happen on it. */
export interface WatchedPage {
  page: Page
  /** Policy violations, script errors and dialogs, in words. */
  faults: string[]
  /** Addresses asked for outside the origin under test. */
  strangers: string[]
}

/**
 * Opens a fresh browser context: own storage, own record; it ends with its test. `SLOW_PAGES=6 npm run test:system` gives
 * pages a sixth of the processor, as a busy machine does: what passes then looks at nothing too early.
 */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 800 }, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const rate = Number(process.env.SLOW_PAGES ?? 1)
  if (rate > 1) {
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate })
  }
  const faults: string[] = []
  const strangers: string[] = []
  await page.exposeFunction('reportFault', (words: string) => faults.push(words))
  await page.addInitScript(() => {
    const report = (globalThis as unknown as { reportFault(words: string): void }).reportFault
    addEventListener('securitypolicyviolation', (event) => {
      report(`policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`)
    })
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:')) strangers.push(url)
  })
  return { page, faults, strangers }
}

/**
 * For eyes: `PICTURES=dist/pictures npm run test:system` keeps what the pages look like. No check reads a picture, and to
 * draw them all is a fifth of what the browsers do.
 */
export async function takePicture(
  what: Page | Locator,
  name: string,
  { fullPage = false } = {},
): Promise<void> {
  const folder = process.env.PICTURES
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${name}.png`)
  await ('mainFrame' in what ? what.screenshot({ path, fullPage }) : what.screenshot({ path }))
}

/** A key that ends or drops what an input method composes, as Safari tells of it: after the composition's end, with 229 for its code. */
export const pressComposing = (field: Locator, key: string): Promise<void> =>
  field.dispatchEvent('keydown', { key, keyCode: 229, bubbles: true, cancelable: true })

/** How far the document is wider than the window, or the conversation than its place in it, in pixels. */
export function horizontalOverflow(page: Page | Frame): Promise<number> {
  return page.evaluate(() => {
    const log = document.querySelector('.log')
    const inner = log === null ? 0 : log.scrollWidth - log.clientWidth
    return Math.max(document.documentElement.scrollWidth - innerWidth, inner)
  })
}

/** Whether somebody sees and hits the middle of an element where the page stands. */
export const isOpen = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })

/** Visible words that their own box cuts off without an ellipsis or a way to scroll. */
export function cutWords(page: Page | Frame): Promise<string[]> {
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

/**
 * Rules that the page breaks as it stands, in the light and in the dark, each with its first element: all of them in the
 * theme that it has, those about colours in the other one too. The page's policy does not bind the debugger's script.
 */
async function violations(page: Page | Frame): Promise<string[]> {
  const whole = 'mainFrame' in page ? page : page.page()
  if (await page.evaluate(() => !('axe' in globalThis))) {
    await page.evaluate(await readFile(AXE, 'utf8'))
  }
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  const found = await brokenRules(page, own, [])
  await whole.emulateMedia({ colorScheme: other })
  found.push(...(await brokenRules(page, other, COLOUR_RULES)))
  await whole.emulateMedia({ colorScheme: own })
  return found
}

/**
 * The same in English and in Arabic: the page is told to speak the other language where it stands, as its menu does, so
 * that what it shows (a recording, a form that is being filled in, an answer read aloud) goes on meanwhile.
 */
async function violationsInBoth(page: Page | Frame): Promise<string[]> {
  const own = await page.evaluate(() => document.documentElement.lang)
  const found: string[] = []
  for (const lang of [own, own === 'ar' ? 'en' : 'ar']) {
    await speak(page, lang)
    found.push(...(await violations(page)).map((words) => `${lang} ${words}`))
  }
  await speak(page, own)
  return found
}

/** A look through a whole page takes its time on a busy machine. */
const PATIENCE = { timeout: 30_000 }

/** Passes once nothing is broken as the page stands. */
export const noViolations = (page: Page | Frame) =>
  expect.poll(() => violations(page), PATIENCE).toEqual([])

/** The same in both languages. */
export const noViolationsInBoth = (page: Page | Frame) =>
  expect.poll(() => violationsInBoth(page), PATIENCE).toEqual([])

/** Resolves once the page speaks this language, with all that it showed before. */
async function speak(page: Page | Frame, lang: string): Promise<void> {
  await page.locator('.popover select').waitFor({ state: 'attached' })
  await page.locator('.popover select').evaluate((select, wanted) => {
    if (document.documentElement.lang === wanted) return
    Object.assign(select, { value: wanted })
    select.dispatchEvent(new Event('change'))
  }, lang)
  await page.waitForFunction((wanted) => document.documentElement.lang === wanted, lang)
}

/** What another theme can break. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** @param rules none: all. */
async function brokenRules(page: Page | Frame, theme: string, rules: string[]): Promise<string[]> {
  const results = await page.evaluate(async (values) => {
    // Colours that are still on their way from one theme or state to another are neither's.
    const changes = document.getAnimations().filter((one) => one instanceof CSSTransition)
    await Promise.allSettled(changes.map(({ finished }) => finished))
    const { axe } = globalThis as unknown as { axe: { run(what: object): Promise<AxeResults> } }
    // The rule of WCAG 2.2 is off in axe unless it is asked for. What an open menu covers in part is whole once it is closed.
    const isCovered = document.querySelector('.popover:not([hidden])') !== null
    const all = { rules: { 'target-size': { enabled: !isCovered } } }
    const { violations } = await axe.run({
      ...(values.length > 0 ? { runOnly: { type: 'rule', values } } : all),
      resultTypes: ['violations'],
    })
    return violations.map(({ id, nodes: [first] }) => ({
      id,
      html: first?.html,
      why: first?.failureSummary,
    }))
  }, rules)
  return results.map(({ id, html, why }) => `${theme}: ${id}: ${html} ${why}`)
}

/**
 * Buttons, fields and links whose target is smaller than this; inline links in text are exempt, as in WCAG. A field's label
 * around it is part of its target, and so is what it has around itself.
 */
export function smallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate(
    (px) =>
      [
        ...document.querySelectorAll<HTMLElement>(
          'button, select, summary, input, textarea, .source a, .login a',
        ),
      ]
        .filter((element) => element.checkVisibility() && element.closest('.sr, .skip') === null)
        .flatMap((element) => {
          const box = (element.closest('label') ?? element).getBoundingClientRect()
          const extra = getComputedStyle(element, '::after')
          const isAround = extra.content !== 'none' && extra.position === 'absolute'
          const grow = (inset: string) => (isAround ? -2 * Number.parseFloat(inset) : 0)
          const width = box.width + grow(extra.insetInlineStart)
          const height = box.height + grow(extra.insetBlockStart)
          if (width >= px - 0.5 && height >= px - 0.5) return []
          const what = element.className || element.getAttribute('type') || element.tagName
          return [`${what} ${Math.round(width)} × ${Math.round(height)}`]
        }),
    least,
  )
}

/** A phone. */
export const TOUCH = {
  viewport: { width: 390, height: 800 },
  hasTouch: true,
  isMobile: true,
} satisfies BrowserContextOptions
