import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { CLIENT, type IdentityProvider, startIdentityProvider } from '../support/identity-provider'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { accessibilityTree } from './accessibility-tree'
import { launchBrowser, openPage, violations, type WatchedPage } from './browser'
import { startSite } from './site'

const SHOTS = 'dist/screenshots'
const QUEUE =
  '<script>window.Parley ||= (...a) => new Promise((s, f) => (Parley.q ||= []).push([a, s, f]))</script>'

let browser: Browser
let parley: Parley
let provider: IdentityProvider
let tenant: SeededTenant
/** A site of somebody else: another origin, and another site for the browser too. */
let site: Server
let strict = ''
let markup = ''
const open: WatchedPage[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  provider = await startIdentityProvider(() => [`${parley.url.origin}/auth/oauth/google/callback`])
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

interface Visit extends BrowserContextOptions {
  path?: string
  attributes?: string
  /** null: the site names none. */
  agent?: string | null
  html?: string
  root?: string
  forbidsStorage?: boolean
}

/** A page of the other site with the widget on it. Its closed root is noted for the test as it is made. */
async function visit(options: Visit = {}): Promise<Page> {
  const { path = '/', attributes = '', html = '', root = '', forbidsStorage, ...others } = options
  const { agent = 'front-desk', ...rest } = others
  const named = agent === null ? '' : `data-agent="${agent}"`
  markup = `<!doctype html><html lang="en" ${root}><head><title>Shop</title>${html.includes('<style') ? html : ''}
<script src="${parley.url.origin}/widget.js" data-tenant="${tenant.id}" ${named} ${attributes} defer></script>
</head><body><main><h1>Shop</h1>${html.includes('<style') ? '' : html}</main></body></html>`
  const watched = await openPage(browser, parley.url.origin, rest)
  open.push(watched)
  await watched.page.addInitScript(() => {
    const attach = Element.prototype.attachShadow
    Element.prototype.attachShadow = function (init) {
      const made = attach.call(this, init)
      Object.assign(globalThis, { widget: { root: made, mode: init.mode } })
      return made
    }
  })
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

interface Noted {
  widget: { root: ShadowRoot; mode: string }
  Parley(command: string, ...parameters: unknown[]): Promise<unknown>
  events: string[]
}

const parts = (page: Page) =>
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

const call = (page: Page, command: string, ...parameters: unknown[]) =>
  page.evaluate(
    ([name, rest]) => (globalThis as unknown as Noted).Parley(name, ...rest).then(() => true),
    [command, parameters] as const,
  )

async function press(page: Page): Promise<void> {
  await expect.poll(async () => (await parts(page)).launcher?.width).toBeGreaterThan(0)
  const { launcher } = await parts(page)
  if (!launcher) throw new Error('no launcher')
  await page.mouse.click(launcher.x + launcher.width / 2, launcher.y + launcher.height / 2)
}

const findFrame = (page: Page): Frame | undefined =>
  page.frames().find((frame) => frame.url().startsWith(`${parley.url.origin}/widget/`))

/** The chat in its frame, once it can be used. */
async function chatIn(page: Page): Promise<Frame> {
  await expect.poll(() => findFrame(page) !== undefined).toBe(true)
  const frame = findFrame(page)
  if (!frame) throw new Error('no frame')
  await frame.locator('.composer textarea').waitFor({ state: 'attached' })
  return frame
}

/** The keys of this page's keyboard arrive in the chat: the browser gives them to one document, whatever each says of its focus. */
async function typeInto(page: Page, frame: Frame, words: string): Promise<void> {
  await page.keyboard.type(words)
  await expect.poll(() => frame.locator('.composer textarea').inputValue()).toBe(words)
}

async function ask(frame: Frame, words: string): Promise<void> {
  await frame.fill('.composer textarea', words)
  await frame.press('.composer textarea', 'Enter')
}

const answer = (frame: Frame) =>
  frame.locator('.reply .md', { hasText: 'five working days' }).first()

/** Somebody whom the site's own server vouches for, and how many chats they have. */
async function person(name: string): Promise<{ token: string; chats(): Promise<number> }> {
  const { json } = await expectOk(tenant.as(name, 'POST', '/v1/users/token'))
  const me = await expectOk(tenant.as(name, 'GET', '/me'))
  const path = `/me/spaces/${me.json.space_id}/sessions`
  const chats = async () => (await expectOk(tenant.as(name, 'GET', path))).json.items.length
  return { token: json.access_token, chats }
}

interface Holding extends Noted {
  give: ((token: string) => void) | undefined
}

/** The site says that it has a person, and does not know their token yet. */
const holdTokens = (page: Page) =>
  page.evaluate(() => {
    const page = globalThis as unknown as Holding
    const getToken = () =>
      new Promise<string>((resolve) => {
        page.give = resolve
      })
    void page.Parley('identify', { getToken })
  })

async function giveToken(page: Page, token: string): Promise<void> {
  await page.waitForFunction(() => 'give' in globalThis)
  await page.evaluate((given) => (globalThis as unknown as Holding).give?.(given), token)
}

/** What the frame asks from now on in somebody's name, and in whose. */
function requestsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'POST') return
    const [, bearer = 'nobody'] = request.headers().authorization?.split(' ') ?? []
    asked.push(`POST ${pathname} ${bearer}`)
  })
  return asked
}

const nextDocument = (page: Page, frame: Frame) =>
  page.waitForEvent('framenavigated', (navigated) => navigated === frame)

/** The chat that begins anew: its old document looks the same until it is gone. */
async function reset(page: Page, frame: Frame): Promise<void> {
  await Promise.all([nextDocument(page, frame), call(page, 'reset')])
  await frame.locator('.composer textarea').waitFor()
}

/** The window that the chat's menu opens to sign in, and what it was told. */
async function openSignIn(page: Page, frame: Frame): Promise<{ popup: Page; state: string }> {
  await frame.locator('.menu > button').click()
  const link = frame.getByRole('link', { name: 'Sign in', exact: true })
  const [popup] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await popup.waitForURL(/popup=/)
  return { popup, state: new URL(popup.url()).searchParams.get('popup') ?? '' }
}

let people = 0

async function register(popup: Page): Promise<void> {
  await popup.getByRole('button', { name: 'Create account' }).click()
  await popup.fill('#email', `visitor${++people}@example.com`)
  await popup.fill('#password', 'a long enough password')
  await popup.getByRole('button', { name: 'Create account' }).click()
}

describe('the widget on a site that forbids everything else', () => {
  it('opens, asks and streams an answer without breaking the policy, behind a closed root (#14.1)', async () => {
    const page = await visit({ path: '/strict' })
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    await expect
      .poll(() => parts(page))
      .toMatchObject({
        mode: 'closed',
        opensFromOutside: false,
        expanded: 'true',
      })
    await page.screenshot({ path: `${SHOTS}/widget-open.png` })
  })

  it('is used by keyboard alone: the composer has the focus, Escape gives it back (#14.1)', async () => {
    const page = await visit({ path: '/strict' })
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await parts(page)).focused).toBe('launcher')
    await page.keyboard.press('Enter')
    const frame = await chatIn(page)
    const focused = () => frame.evaluate(() => document.activeElement?.tagName)
    await expect.poll(focused).toBe('TEXTAREA')
    await typeInto(page, frame, 'Hello')
    await page.keyboard.press('Escape')
    await expect.poll(async () => (await parts(page)).expanded).toBe('false')
    await expect.poll(async () => (await parts(page)).focused).toBe('launcher')
  })
})

describe('what a site may choose', () => {
  it('place, colour, name, language and theme (#14.1)', async () => {
    const page = await visit({
      attributes:
        'data-position="start" data-offset-x="40" data-offset-y="30" data-accent="#ffdd00" data-launcher="label" data-label="Ask us" data-lang="fr" data-theme="dark" data-greeting="off"',
    })
    await expect
      .poll(() => parts(page))
      .toMatchObject({
        launcher: { x: 40, y: 800 - 30 - 56, height: 56 },
        text: 'Ask us',
        name: 'Ask us',
        colour: 'rgb(255, 221, 0)',
        ink: expect.stringMatching(/^lch\(0 |^rgb\(0, 0, 0\)/),
      })
    await press(page)
    const frame = await chatIn(page)
    const html = () =>
      frame.evaluate(() => {
        const { lang, dataset } = document.documentElement
        return { lang, theme: dataset.theme }
      })
    await expect.poll(html).toEqual({ lang: 'fr', theme: 'dark' })
    await expect.poll(() => frame.getByText('Welcome to Acme.').count()).toBe(0)
    await page.screenshot({ path: `${SHOTS}/widget-dark-start.png` })
  })

  it('no launcher: elements of the page open the chat, and the focus goes back to them (#14.1)', async () => {
    const page = await visit({
      attributes: 'data-launcher="none"',
      html: '<button data-open-chat>Talk to us</button>',
    })
    await expect.poll(async () => (await parts(page)).launcher).toBeUndefined()
    await page.click('[data-open-chat]')
    const frame = await chatIn(page)
    await expect.poll(async () => (await parts(page)).panel?.width).toBe(400)
    const inFrame = () =>
      frame.evaluate(() => document.hasFocus() && document.activeElement?.tagName)
    await expect.poll(inFrame).toBe('TEXTAREA')
    await call(page, 'close')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Talk to us')
  })

  it('an element that holds the chat (#14.1)', async () => {
    const page = await visit({
      attributes: 'data-target="#place"',
      html: '<div id="place"></div>',
    })
    const frame = await chatIn(page)
    await frame.getByText('Welcome to Acme.').waitFor()
    await expect.poll(() => frame.getByRole('button', { name: 'Close' }).count()).toBe(0)
    await expect.poll(async () => (await parts(page)).launcher).toBeUndefined()
    await expect.poll(async () => (await parts(page)).panel?.height).toBeGreaterThanOrEqual(360)
  })

  it('opens by itself once, and never where it would cover the page (#14.1)', async () => {
    const page = await visit({ attributes: 'data-open="once"' })
    await expect.poll(async () => (await parts(page)).expanded).toBe('true')
    await page.reload()
    await expect.poll(async () => (await parts(page)).expanded).toBe('false')
    const small = await visit({
      attributes: 'data-open="always"',
      viewport: { width: 390, height: 700 },
    })
    await expect.poll(async () => (await parts(small)).expanded).toBe('false')
  })

  it('opens by itself at every visit, where the site says so and there is room (#14.1)', async () => {
    const page = await visit({ attributes: 'data-open="always"' })
    await expect.poll(async () => (await parts(page)).expanded).toBe('true')
    await call(page, 'close')
    await expect.poll(async () => (await parts(page)).expanded).toBe('false')
    await page.reload()
    await expect.poll(async () => (await parts(page)).expanded).toBe('true')
  })

  it('no agent by name: the tenant’s own, in a panel no taller than 680, opened and closed by one call (#14.1)', async () => {
    const page = await visit({ agent: null, viewport: { width: 1280, height: 1000 } })
    await expect.poll(async () => (await parts(page)).expanded).toBe('false')
    await call(page, 'toggle')
    const frame = await chatIn(page)
    await frame.getByText('Welcome to Acme.').waitFor()
    await expect
      .poll(() => parts(page))
      .toMatchObject({ expanded: 'true', panel: { width: 400, height: 680 } })
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    await call(page, 'toggle')
    await expect.poll(async () => (await parts(page)).expanded).toBe('false')
  })

  it('takes the whole of a small screen, and is modal there (#14.1)', async () => {
    const page = await visit({ viewport: { width: 390, height: 700 } })
    await press(page)
    const frame = await chatIn(page)
    await expect
      .poll(() => parts(page))
      .toMatchObject({
        panel: { x: 0, y: 0, width: 390, height: 700 },
        isModal: true,
      })
    await frame.getByText('Welcome to Acme.').waitFor()
    await page.screenshot({ path: `${SHOTS}/widget-phone.png` })
    await frame.getByRole('button', { name: 'Close' }).click()
    await expect.poll(async () => (await parts(page)).expanded).toBe('false')
  })

  it('stands where it should under rules of the page that reach everything, from right to left (#14.1)', async () => {
    const page = await visit({
      root: 'dir="rtl"',
      attributes: 'data-lang="ar"',
      html: '<style>body * { all: unset !important; opacity: 0.2 !important; transform: rotate(9deg) !important; position: static !important } div { display: none !important }</style>',
    })
    await expect
      .poll(() => parts(page))
      .toMatchObject({
        launcher: { x: 20, width: 56 },
        opacity: '1',
        name: 'محادثة',
      })
    await press(page)
    const frame = await chatIn(page)
    await expect.poll(async () => (await parts(page)).panel?.x).toBe(20)
    await expect.poll(() => frame.evaluate(() => document.documentElement.dir)).toBe('rtl')
    await page.screenshot({ path: `${SHOTS}/widget-rtl.png` })
  })
})

describe('what a site is spared', () => {
  it('a panel beside the page: of its size, wider on request, left by Tab, and nothing moves (#14.1)', async () => {
    const page = await visit({
      html: '<button id="own">Own</button>',
      attributes: 'data-z-index="7" data-nonce="n0"',
      viewport: { width: 1280, height: 720 },
    })
    const shifts = () =>
      page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const observer = new PerformanceObserver((list) => resolve(list.getEntries().length))
            observer.observe({ type: 'layout-shift', buffered: true })
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)))
          }),
      )
    const hint = page.locator('link[rel=preconnect]')
    await expect.poll(() => hint.evaluate((link: HTMLLinkElement) => link.nonce)).toBe('n0')
    await press(page)
    const frame = await chatIn(page)
    await frame.getByText('Welcome to Acme.').waitFor()
    const panel = async () => {
      const { panel: box, isModal } = await parts(page)
      return { width: box?.width, height: box?.height, isModal }
    }
    // 96 pixels less than the window: the launcher below it, and the space around both.
    await expect.poll(panel).toEqual({ width: 400, height: 720 - 96, isModal: false })
    await expect.poll(shifts).toBe(0)
    const zIndex = () =>
      page.evaluate(() => {
        const { host } = (globalThis as unknown as Noted).widget.root
        return getComputedStyle(host).zIndex
      })
    await expect.poll(zIndex).toBe('7')
    const wide = frame.getByRole('button', { name: 'Wide chat' })
    await wide.click()
    await expect.poll(async () => (await panel()).width).toBe(640)
    await expect.poll(() => wide.getAttribute('aria-pressed')).toBe('true')
    await wide.click()
    await expect.poll(async () => (await panel()).width).toBe(400)

    await frame.locator('.composer textarea').focus()
    const outside = async () => {
      await page.keyboard.press('Shift+Tab')
      return page.evaluate(() => document.activeElement?.id)
    }
    await expect.poll(outside).toBe('own')
  })

  it('nothing is asked for until somebody comes near, and then the chat is there before it is opened (#14.1)', async () => {
    const page = await visit()
    await expect.poll(async () => (await parts(page)).launcher?.width).toBeGreaterThan(0)
    await expect.poll(async () => (await parts(page)).frame).toBe(null)
    const { launcher } = await parts(page)
    await page.mouse.move((launcher?.x ?? 0) + 20, (launcher?.y ?? 0) + 20)
    const frame = await chatIn(page)
    await expect.poll(async () => (await parts(page)).expanded).toBe('false')
    await press(page)
    await frame.getByText('Welcome to Acme.').waitFor()
    await expect.poll(async () => (await parts(page)).expanded).toBe('true')
    const allowed = () =>
      page.evaluate(() => {
        const { root } = (globalThis as unknown as Noted).widget
        return root.querySelector('iframe')?.allow
      })
    // Besides the microphone, what its Copy buttons need in a frame.
    await expect.poll(allowed).toBe('microphone; clipboard-write')
  })

  it.each([
    ['en', 'light'],
    ['en', 'dark'],
    ['ar', 'light'],
    ['ar', 'dark'],
  ] as const)(
    'no rule of accessibility is broken in the frame, in %s, %s (#14.1)',
    async (lang, theme) => {
      const page = await visit({ attributes: `data-lang="${lang}" data-theme="${theme}"` })
      await press(page)
      const frame = await chatIn(page)
      await frame.getByText('Welcome to Acme.').waitFor()
      await expect.poll(() => violations(frame)).toEqual([])
      await ask(frame, 'When are refunds paid?')
      await answer(frame).waitFor()
      await frame.locator('.reply .actions').waitFor()
      await expect.poll(() => violations(frame)).toEqual([])
      await frame.locator('.menu > button').click()
      await frame.locator('.popover select').waitFor()
      await expect.poll(() => violations(frame)).toEqual([])
      await expect.poll(() => violations(page)).toEqual([])
      await page.screenshot({ path: `${SHOTS}/widget-menu-${lang}-${theme}.png` })
    },
  )

  it('a screen reader is told of a button that opens a dialog, and of nothing else where that takes the screen (#14.1)', async () => {
    const told = async (page: Page) =>
      (await accessibilityTree(page)).map((line) => line.trim().replace(' focused=true', ''))
    const page = await visit({ html: '<button>Own</button>' })
    await expect
      .poll(() => told(page))
      .toEqual(expect.arrayContaining(['button "Own"', 'button "Chat" expanded=false']))
    await press(page)
    await chatIn(page)
    await expect
      .poll(() => told(page))
      .toEqual(
        expect.arrayContaining(['button "Own"', 'dialog "Chat"', 'button "Chat" expanded=true']),
      )
    const small = await visit({
      html: '<button>Own</button>',
      viewport: { width: 390, height: 700 },
    })
    await press(small)
    await chatIn(small)
    await expect.poll(() => told(small)).toContain('dialog "Chat" modal=true')
    await expect.poll(() => told(small)).not.toContain('button "Own"')
  })
})

describe('what a site may say', () => {
  it('fills the input, and sends only what somebody pressed for (#14.1)', async () => {
    // The driver's own calls count as somebody's press; what the page says by itself does not.
    const page = await visit({
      html: `${QUEUE}<script>Parley("ask", "When are refunds paid?", { send: true })</script>`,
    })
    const frame = await chatIn(page)
    const filled = () => frame.locator('.composer textarea').inputValue()
    await expect.poll(filled).toBe('When are refunds paid?')
    await expect.poll(() => frame.locator('.own').count()).toBe(0)
    await page.mouse.click(5, 5)
    await call(page, 'ask', 'When are refunds paid?', { send: true })
    await answer(frame).waitFor()
  })

  it('hears what happens, never what was said, and counts what came while it was closed (#14.1)', async () => {
    const page = await visit()
    await page.evaluate(() => {
      const page = globalThis as unknown as Noted
      page.events = []
      for (const name of ['ready', 'open', 'close', 'message', 'reply', 'unread', 'error'])
        void page.Parley('on', name, (detail: unknown) =>
          page.events.push(`${name} ${JSON.stringify(detail)}`),
        )
    })
    await press(page)
    const frame = await chatIn(page)
    await frame.fill('.composer textarea', 'When are refunds paid?')
    await call(page, 'close')
    await expect.poll(async () => (await parts(page)).expanded).toBe('false')
    await frame.evaluate(() => document.querySelector('form')?.requestSubmit())
    await expect.poll(async () => (await parts(page)).count).toBe('1')
    await page.screenshot({ path: `${SHOTS}/widget-closed-unread.png` })
    await call(page, 'open')
    await expect.poll(async () => (await parts(page)).count).toBe(null)
    const heard = () => page.evaluate(() => (globalThis as unknown as Noted).events)
    await expect.poll(async () => (await heard()).at(-1)).toBe('unread {"type":"unread","count":0}')
    const events = await heard()
    for (const name of ['ready', 'open', 'message', 'close', 'reply', 'unread'])
      expect(events.some((event) => event.startsWith(`${name} `))).toBe(true)
    expect(events.join(' ')).not.toContain('refund')
  })

  it('keeps calls that come before the script, and refuses what it does not know (#14.1)', async () => {
    const page = await visit({
      html: `${QUEUE}<script>window.early = Parley("open").then(() => "opened")</script>`,
    })
    await chatIn(page)
    const early = () => page.evaluate(() => (globalThis as unknown as { early: string }).early)
    await expect.poll(early).toBe('opened')
    const unknown = page.evaluate(() =>
      (globalThis as unknown as Noted).Parley('fly').catch((error: Error) => error.message),
    )
    expect(await unknown).toBe('Parley has no fly')
    await call(page, 'update', { lang: 'es', theme: 'dark' })
    const frame = await chatIn(page)
    const html = () =>
      frame.evaluate(() => {
        const { lang, dataset } = document.documentElement
        return [lang, dataset.theme]
      })
    await expect.poll(html).toEqual(['es', 'dark'])
    await call(page, 'destroy')
    await expect.poll(() => findFrame(page)).toBe(undefined)
  })

  it("talks as the person whom the site's own server vouches for, until it is reset (#14.1)", async () => {
    const ada = await person('ada')
    const page = await visit()
    await call(page, 'identify', { token: ada.token })
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    expect(await ada.chats()).toBe(1)
    await reset(page, frame)
    await expect.poll(() => frame.locator('.own').count()).toBe(0)
    await ask(frame, 'When does the office open?')
    await frame.locator('.reply .actions').waitFor()
    expect(await ada.chats()).toBe(1)
  })

  it('what is asked while the site still waits for a token waits too, and is asked once as that person (#14.1)', async () => {
    const bea = await person('bea')
    const page = await visit()
    const asked = requestsOf(page)
    await holdTokens(page)
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await frame.locator('.own').waitFor()
    await giveToken(page, bea.token)
    await answer(frame).waitFor()
    expect(asked).toEqual([`POST /v1/chat/stream ${bea.token}`])
    expect(await bea.chats()).toBe(1)
  })

  it('a message that waits for the next person is theirs; nothing of the last one stays (#14.1)', async () => {
    const cleo = await person('cleo')
    const dan = await person('dan')
    const page = await visit()
    await call(page, 'identify', { token: cleo.token })
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When does the office open?')
    await frame.locator('.reply .actions').waitFor()
    const asked = requestsOf(page)
    await holdTokens(page)
    await ask(frame, 'When are refunds paid?')
    await frame.locator('.own').nth(1).waitFor()
    await giveToken(page, dan.token)
    await answer(frame).waitFor()
    await expect.poll(() => frame.locator('.own').count()).toBe(1)
    expect(asked).toEqual([`POST /v1/chat/stream ${dan.token}`])
    expect([await cleo.chats(), await dan.chats()]).toEqual([1, 1])
  })

  it('what is sent while somebody signs out is asked by the visitor who comes next, also where storage is forbidden (#14.1)', async () => {
    const dora = await person('dora')
    const page = await visit({ forbidsStorage: true })
    const asked = requestsOf(page)
    await call(page, 'identify', { token: dora.token })
    await press(page)
    const frame = await chatIn(page)
    await frame.locator('.menu > button').click()
    await frame.getByRole('button', { name: 'Sign out' }).waitFor()
    await Promise.all([
      nextDocument(page, frame),
      frame.evaluate(async () => {
        const items = [...document.querySelectorAll<HTMLElement>('.menu-item')]
        items.find((item) => item.textContent === 'Sign out')?.click()
        const field = document.querySelector<HTMLTextAreaElement>('.composer textarea')
        if (!field) return
        field.value = 'When are refunds paid?'
        field.dispatchEvent(new Event('input', { bubbles: true }))
        // The composer has drawn itself before the document is gone.
        for (let turn = 0; turn < 10; turn++) await null
        field.form?.requestSubmit()
      }),
    ])
    await answer(frame).waitFor()
    await expect.poll(() => frame.locator('.own').count()).toBe(1)
    expect(asked.filter((line) => line.includes('/v1/chat/stream'))).toHaveLength(1)
    await expect.poll(() => frame.evaluate(() => history.state)).toBe(null)
  })

  it('a token that comes after the reset is nobody’s any more (#14.1)', async () => {
    const eve = await person('eve')
    const page = await visit()
    await holdTokens(page)
    await press(page)
    const frame = await chatIn(page)
    await reset(page, frame)
    await giveToken(page, eve.token)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    expect(await eve.chats()).toBe(0)
  })

  it('what the site asks after a reset is asked by the chat that begins anew, also of a frame that is not there yet (#14.1)', async () => {
    const page = await visit()
    await page.evaluate(() => {
      const { Parley } = globalThis as unknown as Noted
      void Parley('reset')
      void Parley('ask', 'When are refunds paid?', { send: true })
    })
    await answer(await chatIn(page)).waitFor()
  })
})

describe('who may show it', () => {
  it('a visitor signs in in a window, and goes on in the frame, whose storage is its own (#14.1)', async () => {
    const page = await visit()
    const asked = requestsOf(page)
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    const { popup, state } = await openSignIn(page, frame)
    // The site around the frame may say what it likes.
    await page.evaluate(
      (told) => {
        const { root } = (globalThis as unknown as Noted).widget
        root.querySelector('iframe')?.contentWindow?.postMessage(told, '*')
      },
      { type: 'signedIn', state, token: 'forged' },
    )
    await register(popup)
    await frame.getByText('You are signed in', { exact: false }).waitFor()
    await frame.locator('.menu > button').click()
    await frame.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(asked.filter((line) => line.includes('forged'))).toEqual([])
    await expect.poll(() => asked.some((line) => line.includes('/me/remembered/carry'))).toBe(true)
    await frame.locator('.menu > button').click()
    await ask(frame, 'Are refunds paid quickly?')
    await frame.locator('.reply .actions').nth(1).waitFor()
    const last = asked.findLast((line) => line.includes('/v1/chat/stream'))
    const [, claims = ''] = last?.split(' ').at(-1)?.split('.') ?? []
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).src).toBe('email')
    // Nothing of the person stays where the window was.
    const own = await page.context().newPage()
    await own.goto(`${parley.url.origin}/login/${tenant.id}`)
    await own.locator('#email').waitFor()
    const kept = () => own.evaluate((id) => localStorage.getItem(`parley:${id}:visitor`), tenant.id)
    await expect.poll(kept).toBe(null)
  })

  it('a visitor signs in at a provider in that window, and what was remembered comes along (#14.1)', async () => {
    const page = await visit()
    const asked = requestsOf(page)
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    const { popup } = await openSignIn(page, frame)
    const person = { sub: 'ada', email: 'ada@people.example', email_verified: true }
    provider.know(person)
    await popup.setExtraHTTPHeaders({ 'x-person': person.sub })
    const gone = popup.waitForEvent('close')
    await popup.getByRole('link', { name: 'Google' }).click()
    await gone
    await frame.getByText('You are signed in', { exact: false }).waitFor()
    await expect.poll(() => asked.some((line) => line.includes('/me/remembered/carry'))).toBe(true)
    await ask(frame, 'Are refunds paid quickly?')
    await frame.locator('.reply .actions').nth(1).waitFor()
    const last = asked.findLast((line) => line.includes('/v1/chat/stream'))
    const [, claims = ''] = last?.split(' ').at(-1)?.split('.') ?? []
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).src).toBe('google')
    const { json } = await tenant.call('GET', '/v1/manage/users')
    expect(json.items).toContainEqual(
      expect.objectContaining({ auth: 'google', email: person.email }),
    )
  })

  it('who goes back from the provider may sign in otherwise in the same window (#14.1)', async () => {
    const page = await visit()
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    const { popup, state } = await openSignIn(page, frame)
    await popup.getByRole('link', { name: 'Google' }).click()
    await popup.getByText('The sign-in was cancelled.').waitFor()
    const stateNow = () => new URL(popup.url()).searchParams.get('popup')
    await expect.poll(stateNow).toBe(state)
    await register(popup)
    await frame.getByText('You are signed in', { exact: false }).waitFor()
  })

  it('a site that opens the window itself hears nothing of who signs in (#14.1)', async () => {
    const page = await visit()
    const address = `${parley.url.origin}/login/${tenant.id}?popup=${'0'.repeat(32)}&return=/a/${tenant.alias}/front-desk`
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate((url) => {
        const heard: unknown[] = []
        Object.assign(globalThis, { heard, opened: window.open(url) })
        addEventListener('message', ({ source, data }) => {
          if (source === (globalThis as unknown as { opened: Window }).opened) heard.push(data)
        })
      }, address),
    ])
    await register(popup)
    await popup.waitForURL('**/front-desk')
    const heard = () => page.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)
    await expect.poll(heard).toEqual([])
  })

  it('says so and shows another way where the window is blocked, closed or cut off (#14.1)', async () => {
    const page = await visit({ path: '/isolated' })
    await press(page)
    const frame = await chatIn(page)
    const { popup } = await openSignIn(page, frame)
    // A site that isolates itself cuts the window off: the chat goes on in it.
    const note = frame.getByText('The sign-in did not reach this chat.', { exact: false })
    await note.waitFor()
    await register(popup)
    await popup.locator('.composer textarea').waitFor()
    await frame.evaluate(() => {
      window.open = () => null
    })
    await frame.getByRole('link', { name: 'Sign in', exact: true }).click()
    await note.waitFor()
    const other = frame.getByRole('link', { name: 'Sign in in a tab' })
    await expect.poll(() => other.getAttribute('target')).toBe('_blank')
    await page.screenshot({ path: `${SHOTS}/widget-sign-in-lost.png` })
  })

  it('is shown by the sites that the tenant names and by no other (#14.1)', async () => {
    const { port } = site.address() as AddressInfo
    const named = (widget_origins: unknown) =>
      expectOk(tenant.call('PATCH', '/v1/tenant/settings', { profile: { widget_origins } }))
    await named(['https://shop.example'])
    const page = await visit()
    await page.evaluate(() => {
      const page = globalThis as unknown as Noted
      page.events = []
      void page.Parley('on', 'error', (detail: unknown) => page.events.push(JSON.stringify(detail)))
    })
    await press(page)
    const heard = () => page.evaluate(() => (globalThis as unknown as Noted).events)
    await expect.poll(heard, { timeout: 20_000 }).toEqual(['{"kind":"blocked"}'])
    await expect.poll(() => findFrame(page)).toBe(undefined)
    // The browser tells of a refusal by its own rules; whether as a violation of the host's page differs.
    open.find((watched) => watched.page === page)?.faults.splice(0)

    await named([`http://localhost:${port}`])
    const allowed = await visit()
    await press(allowed)
    await (await chatIn(allowed)).getByText('Welcome to Acme.').waitFor()
    await named(undefined)
  })
})

describe('the sites to try it on', () => {
  it.each(['plain', 'strict', 'hostile'])('%s shows the chat (#14.1)', async (name) => {
    const watched = await openPage(browser, parley.url.origin)
    open.push(watched)
    const { page } = watched
    const query = `?tenant=${tenant.id}&agent=front-desk`
    await page.goto(`${parley.url.origin}/widget-demo/${name}${query}`)
    await page.evaluate(() => (globalThis as unknown as Noted).Parley('open').then(() => 'open'))
    const frame = await chatIn(page)
    await frame.getByText('Welcome to Acme.').waitFor()
    expect(watched.strangers).toEqual([])
    await page.screenshot({ path: `${SHOTS}/widget-demo-${name}.png` })
  })
})
