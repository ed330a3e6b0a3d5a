import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Page,
} from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
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
 * Opens a fresh browser context: own storage, own record. `SLOW_PAGES=6 npm run test:system` gives pages a sixth of the
 * processor, as a busy machine does: what passes then looks at nothing too early.
 */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 800 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
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

/** How far the document is wider than the window, in pixels. */
export function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
}

/** Rules that the page breaks, each with its first element. The page's policy does not bind the debugger's script. */
export async function violations(page: Page | Frame): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'))
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return results.violations.map((v) => `${v.id}: ${v.nodes[0]?.html} ${v.nodes[0]?.failureSummary}`)
}
