import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Parley } from '../support/harness'
import { CLIENT, type IdentityProvider, startIdentityProvider } from '../support/identity-provider'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { launchBrowser, openPage, type WatchedPage } from './browser'
import { startSite } from './site'

export const QUEUE =
  '<script>window.Parley ||= (...a) => new Promise((s, f) => (Parley.q ||= []).push([a, s, f]))</script>'

export let browser: Browser
export let parley: Parley
export let provider: IdentityProvider
export let tenant: SeededTenant
/** A site of somebody else: another origin, and another site for the browser too. */
export let site: Server
export let strict = ''
export let markup = ''
export const open: WatchedPage[] = []

/** A file's browser, tenant and site. @param isWhole where it matters that the frame's storage is its own on each site */
export function forWidgets({ isWhole = false } = {}): void {
  beforeAll(async () => {
    browser = await launchBrowser([], { isWhole })
    provider = await startIdentityProvider(() => [
      `${parley.url.origin}/auth/oauth/google/callback`,
    ])
    parley = await startSite({
      EGRESS_ALLOW: provider.pair,
      OAUTH_GOOGLE_AUTHORIZE_URL: `${provider.origin}/auth`,
      OAUTH_GOOGLE_TOKEN_URL: `${provider.origin}/token`,
      OAUTH_GOOGLE_USER_URL: `${provider.origin}/me`,
    })
    const app = parley.url.origin
    strict = `default-src 'none'; script-src ${app}; frame-src ${app}; style-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
    tenant = await seedTenant(parley, { name: 'Acme Tools' })
    const credentials = { client_id: CLIENT.id, client_secret: CLIENT.secret }
    await expectOk(tenant.call('PUT', '/v1/tenant/oauth/google', credentials))
    await seedBase(tenant, 'guide', {
      'Refund policy': 'Refunds are paid within five working days.',
      'Opening hours': 'The office opens at nine in the morning.',
    })
    await seedAgent(tenant, 'Front desk', {
      knowledge_bases: ['guide'],
      grounding_required: true,
      greeting: 'Welcome to Acme.',
    })
    await expectOk(tenant.call('PUT', '/v1/agents/Front%20desk/alias', { alias: 'front-desk' }))
    site = createServer((request, response) => {
      const isStrict = request.url?.startsWith('/strict') === true
      response.writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        ...(isStrict ? { 'Content-Security-Policy': strict } : {}),
        ...(request.url === '/isolated' ? { 'Cross-Origin-Opener-Policy': 'same-origin' } : {}),
        ...(request.url === '/embedder' ? { 'Cross-Origin-Embedder-Policy': 'require-corp' } : {}),
      })
      response.end(request.url === '/favicon.ico' ? '' : markup)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await browser.close()
    site.closeAllConnections()
    await new Promise((resolve) => site.close(resolve))
    await parley.close()
    await provider.close()
  })
  afterEach(async () => {
    for (const { page, faults } of open.splice(0)) {
      await page.context().close()
      expect(faults).toEqual([])
    }
  })
}

export interface Visit extends BrowserContextOptions {
  path?: string
  attributes?: string
  /** null: the site names none. */
  agent?: string | null
  html?: string
  root?: string
  forbidsStorage?: boolean
  /** The widget's root is made open, so that what looks through the page looks into it too. */
  opensRoot?: boolean
}

/** A page of the other site with the widget on it. Its closed root is noted for the test as it is made. */
export async function visit(options: Visit = {}): Promise<Page> {
  const { path = '/', attributes = '', html = '', root = '', ...others } = options
  const { agent = 'front-desk', forbidsStorage = false, opensRoot = false, ...rest } = others
  const named = agent === null ? '' : `data-agent="${agent}"`
  markup = `<!doctype html><html lang="en" ${root}><head><title>Shop</title>${html.includes('<style') ? html : ''}
<script src="${parley.url.origin}/widget.js" data-tenant="${tenant.id}" ${named} ${attributes} defer></script>
</head><body><main><h1>Shop</h1>${html.includes('<style') ? '' : html}</main></body></html>`
  const watched = await openPage(browser, parley.url.origin, rest)
  open.push(watched)
  await watched.page.addInitScript((isOpen) => {
    const attach = Element.prototype.attachShadow
    Element.prototype.attachShadow = function (init) {
      const made = attach.call(this, isOpen ? { mode: 'open' } : init)
      Object.assign(globalThis, { widget: { root: made, mode: init.mode } })
      return made
    }
  }, opensRoot)
  if (forbidsStorage) {
    await watched.page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
        Object.defineProperty(globalThis, name, {
          get: () => {
            throw new DOMException('forbidden', 'SecurityError')
          },
        })
      }
    })
  }
  await watched.page.goto(`http://localhost:${(site.address() as AddressInfo).port}${path}`)
  await watched.page.waitForFunction(() => 'widget' in globalThis)
  return watched.page
}

export interface Noted {
  widget: { root: ShadowRoot; mode: string }
  Parley(command: string, ...parameters: unknown[]): Promise<unknown>
  events: string[]
}

export const parts = (page: Page) =>
  page.evaluate(() => {
    const { root, mode } = (globalThis as unknown as Noted).widget
    const box = (element: Element | null) => {
      const rect = element?.getBoundingClientRect()
      return rect && { x: rect.x, y: rect.y, width: rect.width, height: rect.height }
    }
    const launcher = root.querySelector<HTMLElement>('.launcher')
    const panel = root.querySelector<HTMLElement>('.panel')
    return {
      mode,
      launcher: box(launcher),
      name: launcher?.ariaLabel,
      text: launcher?.textContent,
      expanded: launcher?.ariaExpanded,
      controls: launcher?.getAttribute('aria-controls') === panel?.id,
      focused: root.activeElement?.className ?? null,
      colour: launcher && getComputedStyle(launcher).backgroundColor,
      ink: launcher && getComputedStyle(launcher).color,
      opacity: launcher && getComputedStyle(root.host).opacity,
      count: root.querySelector<HTMLElement>('.count:not([hidden])')?.textContent ?? null,
      panel: box(panel),
      isModal: panel?.matches(':modal') ?? false,
      frame: root.querySelector('iframe')?.src ?? null,
      opensFromOutside: root.host.shadowRoot !== null,
    }
  })

export const call = (page: Page, command: string, ...parameters: unknown[]) =>
  page.evaluate(
    ([name, rest]) => (globalThis as unknown as Noted).Parley(name, ...rest).then(() => true),
    [command, parameters] as const,
  )

export async function press(page: Page): Promise<void> {
  await expect.poll(async () => (await parts(page)).launcher?.width).toBeGreaterThan(0)
  const { launcher } = await parts(page)
  if (!launcher) throw new Error('no launcher')
  await page.mouse.click(launcher.x + launcher.width / 2, launcher.y + launcher.height / 2)
}

export const findFrame = (page: Page): Frame | undefined =>
  page.frames().find((frame) => frame.url().startsWith(`${parley.url.origin}/widget/`))

/** The chat in its frame, once it can be used. */
export async function chatIn(page: Page): Promise<Frame> {
  await expect.poll(() => findFrame(page) !== undefined).toBe(true)
  const frame = findFrame(page)
  if (!frame) throw new Error('no frame')
  await frame.locator('.composer textarea').waitFor({ state: 'attached' })
  return frame
}

/** What stands in the frame where there is no chat. */
export async function noticeIn(page: Page): Promise<Frame> {
  await expect.poll(() => findFrame(page) !== undefined).toBe(true)
  const frame = findFrame(page)
  if (!frame) throw new Error('no frame')
  await frame.locator('main.blank h1').waitFor()
  return frame
}

/** The keys of this page's keyboard arrive in the chat: the browser gives them to one document, whatever each says of its focus. */
export async function typeInto(page: Page, frame: Frame, words: string): Promise<void> {
  await page.keyboard.type(words)
  await expect.poll(() => frame.locator('.composer textarea').inputValue()).toBe(words)
}

export async function ask(frame: Frame, words: string): Promise<void> {
  await frame.fill('.composer textarea', words)
  await frame.press('.composer textarea', 'Enter')
}

export const answer = (frame: Frame) =>
  frame.locator('.reply .md', { hasText: 'five working days' }).first()

/** Somebody whom the site's own server vouches for, and how many chats they have. */
export async function person(name: string): Promise<{ token: string; chats(): Promise<number> }> {
  const { json } = await expectOk(tenant.as(name, 'POST', '/v1/users/token'))
  const me = await expectOk(tenant.as(name, 'GET', '/me'))
  const path = `/me/spaces/${me.json.space_id}/sessions`
  const chats = async () => (await expectOk(tenant.as(name, 'GET', path))).json.items.length
  return { token: json.access_token, chats }
}

export interface Holding extends Noted {
  give: ((token: string) => void) | undefined
}

/** The site says that it has a person, and does not know their token yet. */
export const holdTokens = (page: Page) =>
  page.evaluate(() => {
    const page = globalThis as unknown as Holding
    const getToken = () =>
      new Promise<string>((resolve) => {
        page.give = resolve
      })
    void page.Parley('identify', { getToken })
  })

export async function giveToken(page: Page, token: string): Promise<void> {
  await page.waitForFunction(() => 'give' in globalThis)
  await page.evaluate((given) => (globalThis as unknown as Holding).give?.(given), token)
}

/** What the frame asks from now on in somebody's name, and in whose. */
export function requestsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'POST') return
    const [, bearer = 'nobody'] = request.headers().authorization?.split(' ') ?? []
    asked.push(`POST ${pathname} ${bearer}`)
  })
  return asked
}

export const nextDocument = (page: Page, frame: Frame) =>
  page.waitForEvent('framenavigated', (navigated) => navigated === frame)

/** The chat that begins anew: its old document looks the same until it is gone. */
export async function reset(page: Page, frame: Frame): Promise<void> {
  await Promise.all([nextDocument(page, frame), call(page, 'reset')])
  await frame.locator('.composer textarea').waitFor()
}

/** The window that the chat's menu opens to sign in, and what it was told. */
export async function openSignIn(
  page: Page,
  frame: Frame,
): Promise<{ popup: Page; state: string }> {
  await frame.locator('.menu > button').click()
  const link = frame.getByRole('link', { name: 'Sign in', exact: true })
  const [popup] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await popup.waitForURL(/popup=/)
  return { popup, state: new URL(popup.url()).searchParams.get('popup') ?? '' }
}

let people = 0

export async function register(popup: Page): Promise<void> {
  await popup.getByRole('button', { name: 'Create account' }).click()
  await popup.fill('#email', `visitor${++people}@example.com`)
  await popup.fill('#password', 'a long enough password')
  await popup.getByRole('button', { name: 'Create account' }).click()
}
