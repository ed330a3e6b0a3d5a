import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/config/names'
import { makePicture, readPng } from '../support/pictures'
import { startRewritingProxy } from '../support/rewriting-proxy'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { noViolations, noViolationsInBoth, openPage, type WatchedPage } from './browser'
import { openMenu, say } from './chat'
import { cutNetwork } from './cut-network'
import { browser, parley, withSite } from './with-site'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

let tenant: SeededTenant
let home: string
const open: WatchedPage[] = []

withSite()
beforeAll(async () => {
  tenant = await seedTenant(parley, { name: 'Acme Tools' })
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
  const form = new FormData()
  form.set('file', new File([makePicture(1024)], 'icon.png'))
  await expectOk(tenant.call('POST', '/v1/agents/Front%20desk/pwa/icon', form))
  home = `/a/${tenant.alias}/front-desk`
})
afterEach(async () => {
  for (const { page, faults, strangers } of open.splice(0)) {
    await page.context().close()
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  }
})

async function visit(path = home, origin = parley.url.origin, options = {}): Promise<Page> {
  const watched = await openPage(browser, origin, options)
  open.push(watched)
  await watched.page.goto(origin + path)
  await watched.page.waitForSelector('.composer textarea')
  return watched.page
}

/** Resolves once the worker controls the page and has the page, its files and the language. */
async function controlled(page: Page): Promise<void> {
  const isReady = () =>
    page.evaluate(async () => {
      const paths: string[] = []
      for (const name of await caches.keys()) {
        const requests = await (await caches.open(name)).keys()
        paths.push(...requests.map(({ url }) => new URL(url).pathname))
      }
      const hasLanguage = paths.some((path) => path.startsWith('/assets/locale-'))
      const { controller } = navigator.serviceWorker
      return hasLanguage && controller?.state === 'activated' && paths.includes(location.pathname)
    })
  await expect.poll(isReady).toBe(true)
}

const cacheNames = (page: Page) => page.evaluate(() => caches.keys())

/** Resolves once this many replies are whole and nothing else is on its way. */
async function answered(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (n) =>
      document.querySelectorAll('.reply .actions').length >= n &&
      document.querySelector('.queued') === null &&
      document.querySelector('button.send')?.getAttribute('type') === 'submit',
    count,
  )
}

const prompt = (install_prompt: string) =>
  expectOk(tenant.call('PATCH', '/v1/agents/Front%20desk/pwa', { install_prompt }))
const word = async (lang: string, key: string): Promise<string> =>
  (await import(`../../src/web/chat/locales/${lang}.json`, { with: { type: 'json' } })).default[key]

describe('the installed app', () => {
  it('is installable: the browser finds nothing wrong with manifest and icons', async () => {
    const page = await visit()
    await controlled(page)
    const devtools = await page.context().newCDPSession(page)
    const manifest = await devtools.send('Page.getAppManifest')
    expect(manifest.errors).toEqual([])
    expect(new URL(manifest.url).pathname).toBe(`${home}/manifest.webmanifest`)
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    // A private window is the one thing that the test's own browser context cannot change.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
    const { icons } = JSON.parse(manifest.data ?? '{}') as {
      icons: { src: string; sizes: string; purpose: string }[]
    }
    expect(icons.map(({ purpose }) => purpose)).toEqual(['any', 'any', 'maskable'])
    for (const { src, sizes } of icons) {
      const response = await fetch(new URL(src, parley.url))
      const picture = readPng(new Uint8Array(await response.arrayBuffer()))
      expect(`${picture.width}x${picture.height}`).toBe(sizes)
      const shown = await page.evaluate(async (address) => {
        const bitmap = await createImageBitmap(await (await fetch(address)).blob())
        return `${bitmap.width}x${bitmap.height}`
      }, src)
      expect(shown).toBe(sizes)
    }
    const { scope } = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return { scope: new URL(registration.scope).pathname }
    })
    expect(scope).toBe(home)
  })

  it.each(LANGUAGES)('opens without a network, in %s', async (lang) => {
    const page = await visit(`${home}?lang=${lang}`)
    await controlled(page)
    const bringBack = await cutNetwork(page)
    await page.reload()
    await page.waitForSelector('.composer textarea')
    await page.getByText(await word(lang, 'offline')).waitFor()
    await page.getByText('Welcome to Acme.').waitFor()
    await bringBack()
  })

  it('keeps the page and files with hashed names, no answer of the API and no token', async () => {
    const page = await visit()
    await controlled(page)
    await say(page, 'When are refunds paid?')
    await answered(page, 1)
    await page.reload()
    await page.waitForSelector('.reply .md')
    const kept = await page.evaluate(async () => {
      const urls: string[] = []
      const texts: string[] = []
      for (const name of await caches.keys()) {
        const cache = await caches.open(name)
        for (const request of await cache.keys()) {
          urls.push(new URL(request.url).pathname)
          texts.push((await (await cache.match(request))?.text()) ?? '')
        }
      }
      const token = Object.entries(localStorage).find(([key]) => key.endsWith(':visitor'))?.[1]
      return { urls, texts: texts.join('\n'), token: JSON.parse(token ?? '{}').token as string }
    })
    expect(kept.urls.filter((path) => path !== home && !path.startsWith('/assets/'))).toEqual([])
    expect(kept.token.length).toBeGreaterThan(50)
    expect(kept.texts).not.toContain(kept.token)
    expect(kept.texts).not.toContain('five working days')
  })

  it('is gone when the agent is no longer published', async () => {
    await seedAgent(tenant, 'brief')
    await expectOk(tenant.call('PUT', '/v1/agents/brief/alias', { alias: 'brief-one' }))
    const page = await visit(`/a/${tenant.alias}/brief-one`)
    await controlled(page)
    await expectOk(tenant.call('PATCH', '/v1/agents/brief', { published: false }))
    await page.reload()
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })

  it('does not answer for another agent whose address only begins alike', async () => {
    await seedAgent(tenant, 'second')
    await expectOk(tenant.call('PUT', '/v1/agents/second/alias', { alias: 'front-desk-2' }))
    const page = await visit()
    await controlled(page)
    await page.goto(`${parley.url.origin}${home}-2`)
    await page.getByRole('heading', { name: 'second' }).waitFor()
    await page.goto(`${parley.url.origin}${home}-3`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })
})

describe('a message without a connection', () => {
  it('waits in sight, over a reload, and is sent in order once there is a network', async () => {
    const page = await visit()
    await controlled(page)
    const bringBack = await cutNetwork(page)
    await say(page, 'When are refunds paid?')
    await say(page, 'When does the office open?')
    await say(page, 'Never mind this one.')
    await expect.poll(() => page.locator('.queued').count()).toBe(3)
    await expect
      .poll(() => page.locator('.queued').first().textContent())
      .toContain('Waiting for a connection')
    await page.locator('.queued').last().getByRole('button', { name: 'Remove' }).click()
    await page.reload()
    await page.waitForSelector('.queued')
    await expect
      .poll(() => page.locator('.own .bubble').allTextContents())
      .toEqual(['When are refunds paid?', 'When does the office open?'])
    await bringBack()
    await answered(page, 2)
    await expect
      .poll(() => page.locator('.messages .bubble, .messages .md').allTextContents())
      .toEqual([
        'When are refunds paid?',
        expect.stringContaining('five working days'),
        'When does the office open?',
        expect.stringContaining('nine'),
      ])
  })
})

describe('installing', () => {
  /** Plays the browser's own question. */
  const offer = (page: Page) =>
    page.evaluate(() => {
      const event = new Event('beforeinstallprompt', { cancelable: true })
      Object.assign(event, {
        prompt: async () => {
          Object.assign(window, { asked: true })
          return { outcome: 'accepted' }
        },
      })
      dispatchEvent(event)
      return event.defaultPrevented
    })
  const wasAsked = (page: Page) =>
    page.evaluate(() => (window as unknown as { asked?: boolean }).asked === true)
  const revisit = async (context: BrowserContext) => {
    const page = await context.newPage()
    await page.goto(parley.url.origin + home)
    await page.waitForSelector('.composer textarea')
    return page
  }
  const card = (page: Page) => page.getByRole('complementary', { name: 'Install as an app' })
  const entry = (page: Page) => page.getByRole('button', { name: 'Install as an app' })

  it('is not offered when it is off', async () => {
    await prompt('off')
    const page = await visit()
    const wasTaken = await offer(page)
    expect(wasTaken).toBe(true)
    const second = await revisit(page.context())
    await offer(second)
    await controlled(second)
    await openMenu(second)
    await expect.poll(() => entry(second).count()).toBe(0)
    await expect.poll(() => card(second).count()).toBe(0)
  })

  it('is an entry in the menu when it is manual', async () => {
    await prompt('manual')
    const page = await visit()
    await offer(page)
    const second = await revisit(page.context())
    await offer(second)
    await openMenu(second)
    await entry(second).click()
    await expect.poll(() => wasAsked(second)).toBe(true)
    await expect.poll(() => card(second).count()).toBe(0)
  })

  it('is also a card after the second visit when it is auto, once', async () => {
    await prompt('auto')
    const page = await visit()
    await controlled(page)
    await offer(page)
    await openMenu(page)
    await entry(page).waitFor()
    await expect.poll(() => card(page).count()).toBe(0)
    const second = await revisit(page.context())
    await offer(second)
    await card(second).waitFor()
    await noViolationsInBoth(second)
    await card(second).getByRole('button', { name: 'Not now' }).click()
    await expect.poll(() => card(second).count()).toBe(0)
    const third = await revisit(page.context())
    await offer(third)
    await openMenu(third)
    await entry(third).waitFor()
    await expect.poll(() => card(third).count()).toBe(0)
  })

  it('and after the third reply', async () => {
    await prompt('auto')
    const page = await visit()
    await offer(page)
    for (let n = 1; n <= 3; n++) {
      await expect.poll(() => card(page).count()).toBe(0)
      await say(page, 'When are refunds paid?')
      await answered(page, n)
    }
    await card(page).getByRole('button', { name: 'Install' }).click()
    await expect.poll(() => wasAsked(page)).toBe(true)
    await card(page).waitFor({ state: 'hidden' })
  })

  it.each(LANGUAGES)('is explained in steps on iOS, in %s', async (lang) => {
    await prompt('auto')
    const page = await visit(`${home}?lang=${lang}`, parley.url.origin, {
      userAgent: IPHONE,
      viewport: { width: 390, height: 700 },
    })
    await page.getByRole('button', { name: await word(lang, 'menu') }).click()
    await page.getByRole('button', { name: await word(lang, 'install') }).click()
    await expect
      .poll(() => page.locator('.steps li').allTextContents())
      .toEqual([await word(lang, 'installIosShare'), await word(lang, 'installIosAdd')])
    if (lang === 'en' || lang === 'ar') await noViolations(page)
    await prompt('off')
  })
})

describe('a new version', () => {
  it('waits until the reader reloads', async () => {
    const proxy = await startRewritingProxy(parley.url)
    const page = await visit(home, proxy.origin)
    await controlled(page)
    await expect.poll(() => page.getByText('A new version is ready.').count()).toBe(0)
    // The worker of a newer build: the page that is open is the old one.
    proxy.rewrite = (path, text) =>
      path.endsWith('/sw.js') ? text.replace(/"version":"/, '"version":"NEXT.') : null
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    const reload = page.getByRole('button', { name: 'Reload for the new version' })
    await reload.waitFor()
    await noViolationsInBoth(page)
    proxy.rewrite = (path, text) =>
      path.endsWith('/sw.js') || path.startsWith(home)
        ? text.replace(/"version":"/, '"version":"NEXT.')
        : null
    await Promise.all([page.waitForEvent('load'), reload.click()])
    await controlled(page)
    await expect.poll(() => reload.count()).toBe(0)
    await expect
      .poll(() => cacheNames(page), { timeout: 15_000 })
      .toEqual([expect.stringContaining('NEXT.')])
    await proxy.close()
  })

  it('of a page that is already new takes over in silence', async () => {
    const proxy = await startRewritingProxy(parley.url)
    const page = await visit(home, proxy.origin)
    await controlled(page)
    proxy.rewrite = (path, text) =>
      path.endsWith('/sw.js') || path.startsWith(home)
        ? text.replace(/"version":"/, '"version":"NEXT.')
        : null
    await page.reload()
    await page.waitForSelector('.composer textarea')
    await expect
      .poll(() => cacheNames(page), { timeout: 15_000 })
      .toEqual([expect.stringContaining('NEXT.')])
    await expect.poll(() => page.getByText('A new version is ready.').count()).toBe(0)
    await proxy.close()
  })
})

describe('the chats of a person who is signed in', () => {
  async function signIn(page: Page): Promise<void> {
    const email = `ada-${Date.now()}@example.com`
    const { json } = await parley.call('POST', '/auth/register', {
      body: { tenant_id: tenant.id, email, password: 'correct horse battery' },
    })
    await page.evaluate(
      ({ key, token }) =>
        localStorage.setItem(key, JSON.stringify({ token, expiresAt: Date.now() + 1e8 })),
      { key: `parley:${tenant.id}:visitor`, token: json.access_token as string },
    )
    await page.reload()
    await page.waitForSelector('.composer textarea')
  }
  const databases = (page: Page) =>
    page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  const kept = (page: Page) =>
    page.evaluate(
      (name) =>
        new Promise<number>((resolve) => {
          const request = indexedDB.open(name)
          request.onsuccess = () => {
            const database = request.result
            const count = database.objectStoreNames.contains('chats')
              ? database.transaction('chats').objectStore('chats').count()
              : null
            if (count === null) resolve(0)
            else {
              count.onsuccess = () => {
                database.close()
                resolve(count.result)
              }
            }
          }
        }),
      `parley:${tenant.id}:history`,
    )

  it('can be read without a network, and are gone after the sign-out', async () => {
    const page = await visit()
    await signIn(page)
    await controlled(page)
    await say(page, 'When are refunds paid?')
    await answered(page, 1)
    await page.getByRole('button', { name: 'New chat' }).click()
    await say(page, 'When does the office open?')
    await answered(page, 1)
    await expect.poll(() => kept(page)).toBe(2)
    const bringBack = await cutNetwork(page)
    await page.reload()
    await page.waitForSelector('.composer textarea')
    await openMenu(page)
    await page.getByRole('button', { name: 'Earlier chats' }).click()
    await page.getByText('These chats are kept on this device.').waitFor()
    const chats = page.locator('.history li button')
    await expect.poll(() => chats.count()).toBe(2)
    await chats.last().click()
    await page.locator('.reply .md', { hasText: 'five working days' }).waitFor()
    await expect.poll(() => page.locator('.own').count()).toBe(1)
    await bringBack()
    await page.goto(`${parley.url.origin}/login/${tenant.id}`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => databases(page)).toEqual([])
    const left = async () =>
      (await page.evaluate(() => Object.keys(localStorage))).filter((key) =>
        /:(?:chat|queue|visitor)$/.test(key),
      )
    await expect.poll(left).toEqual([])
    await page.goto(parley.url.origin + home)
    await page.waitForSelector('.composer textarea')
    await expect.poll(() => page.locator('.own').count()).toBe(0)
  })

  it('are not kept of a visitor without an account', async () => {
    const page = await visit()
    await controlled(page)
    await say(page, 'When are refunds paid?')
    await answered(page, 1)
    await openMenu(page)
    await page.getByRole('button', { name: 'Earlier chats' }).click()
    await page.locator('.history li').first().waitFor()
    await expect.poll(() => databases(page)).toEqual([])
  })
})
