import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { storylineFile } from '../support/storylines'
import {
  horizontalOverflow,
  noViolations,
  openPage,
  pressComposing,
  smallTargets,
  TOUCH,
  takePicture,
} from './browser'
import { enterConsole } from './console'
import { browser, origin, parley, withSite } from './with-site'

describe('the console in Chromium', () => {
  let tenant: SeededTenant

  withSite()
  beforeAll(async () => {
    tenant = await seedTenant(parley, { name: 'Acme <b>' })
  })

  const keptKeys = (page: Page) =>
    page.evaluate(() => [...Object.values(sessionStorage), ...Object.values(localStorage)].join())

  const leave = async (page: Page) => {
    await page.getByRole('button', { name: 'Account and sign-out' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
  }

  it('lets nobody in without a key that is good, and keeps it no longer than it is told to', async () => {
    const { page, faults, strangers } = await openPage(browser, origin)
    await page.goto(`${origin}/console`)
    await page.getByLabel('API key').fill('pk_of_nobody')
    await noViolations(page)
    await takePicture(page, 'console-sign-in')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('This key is not valid').waitFor()

    await enterConsole(page, origin, tenant.key)
    await page.getByText('Acme <b>').waitFor()
    await expect.poll(() => keptKeys(page)).not.toContain(tenant.key)
    await page.reload()
    await page.getByLabel('API key').waitFor()

    await page.getByLabel('Keep in this tab').check()
    await enterConsole(page, origin, tenant.key)
    await page.reload()
    await page.getByText('Acme <b>').waitFor()
    await leave(page)
    await page.getByLabel('API key').waitFor()
    await expect.poll(() => keptKeys(page)).not.toContain(tenant.key)
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  })

  it('finds a place by its name and goes there by keyboard, on a narrow page too', async () => {
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 320, height: 700 },
    })
    await enterConsole(page, origin, tenant.key)
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('audi')
    await expect.poll(() => page.getByRole('combobox').getAttribute('dir')).toBe('auto')
    await page.getByRole('option', { name: 'Audit' }).waitFor()
    await pressComposing(page.getByRole('combobox'), 'Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/audit')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Agents' }).waitFor()
    await noViolations(page)
    await takePicture(page, 'console-narrow')
    expect(faults).toEqual([])
  })

  it.each([
    ['a mouse', 24, {}],
    ['a finger', 44, TOUCH],
  ] as const)(
    'is hit by %s on every screen',
    async (_, least, options) => {
      const own = await seedTenant(parley)
      await seedBase(own, 'guide', { Refunds: 'Refunds are paid within five working days.' })
      await seedAgent(own, 'front-desk', { knowledge_bases: ['guide'], tools: ['handoff'] })
      await expectOk(own.call('PUT', '/v1/skills/returns', { description: 'How returns work.' }))
      const server = { name: 'files', transport: 'sse', enabled: false }
      const { json: mcp } = await expectOk(
        own.call('POST', '/v1/mcp-servers', {
          ...server,
          config: { url: 'https://a.example/mcp' },
        }),
      )
      const file = { ...storylineFile('customer-intake'), agent_name: 'front-desk' }
      const { json: storyline } = await expectOk(own.call('POST', '/v1/storylines/import', file))
      await expectOk(own.as('bob', 'POST', '/v1/chat', { message: 'Can I talk to a human?' }))
      const { page, faults } = await openPage(browser, origin, options)
      await enterConsole(page, origin, own.key)
      for (const [path, shown] of [
        ['/', '.overview-setup > summary'],
        ['/agents', 'input[role=switch]'],
        ['/agents/new', 'textarea'],
        ['/agents/front-desk', '.build-jumps button'],
        ['/agents/front-desk/share', '.alias-input'],
        ['/agents/front-desk/history', '.revision'],
        ['/skills/returns', '.check-row'],
        ['/skills/returns/history', '.skill-revisions button'],
        ['/knowledge/guide', '.document-bulk'],
        ['/knowledge/guide/settings', 'input[role=switch]'],
        [`/mcp/${mcp.id}/settings`, 'input[role=switch]'],
        [`/storylines/${storyline.id}`, '.side-tabs'],
        ['/handoffs', '.desk-list button'],
        ['/users', '.row-link'],
        ['/usage', '.segmented'],
        ['/audit', '.audit-row'],
        ['/settings/general', '.settings-accent'],
        ['/settings/sign-in', 'input[type=radio]'],
        ['/settings/privacy', 'input[role=switch]'],
        ['/settings/channels', 'input[type=password]'],
      ] as const) {
        await page.evaluate((hash) => {
          location.hash = hash
        }, path)
        await page.locator(`#main ${shown}`).first().waitFor()
        await expect.poll(() => smallTargets(page, least), { message: path }).toEqual([])
      }
      expect(faults).toEqual([])
    },
    120_000,
  )

  it('shows the whole menu of an object on a phone, wherever its dots stand', async () => {
    await seedAgent(tenant, 'front-desk')
    const { page, faults } = await openPage(browser, origin, TOUCH)
    await enterConsole(page, origin, tenant.key, '/agents/front-desk')
    const dots = page.locator('.page-head .menu > button')
    const sides = () =>
      page.getByRole('menu').evaluate((menu) => {
        const { left, right } = menu.getBoundingClientRect()
        return [Math.min(left, 0), Math.max(right, innerWidth) - innerWidth]
      })
    for (const width of [320, 390, 460]) {
      await page.setViewportSize({ width, height: 800 })
      await dots.click()
      await expect.poll(sides).toEqual([0, 0])
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    expect(faults).toEqual([])
  })

  it('keeps the tabs of a phone apart, with the current one in sight', async () => {
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 390, height: 800 },
      colorScheme: 'dark',
      hasTouch: true,
      isMobile: true,
    })
    await page.goto(`${origin}/console?lang=ru#/settings/channels`)
    await page.locator('input').first().fill(tenant.key)
    await page.keyboard.press('Enter')
    const tabs = page.locator('.tabs a')
    await expect.poll(() => tabs.count()).toBe(7)
    const squeezed = () =>
      tabs.evaluateAll((all) => all.filter((tab) => tab.scrollWidth > tab.clientWidth).length)
    await expect.poll(squeezed).toBe(0)
    const isInSight = () =>
      page.locator('.tabs [aria-current]').evaluate((tab) => {
        const { left, right } = tab.getBoundingClientRect()
        return left >= 0 && right <= innerWidth
      })
    await expect.poll(isInSight).toBe(true)
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    await noViolations(page)
    await takePicture(page, 'console-phone')
    expect(faults).toEqual([])
  })

  it('goes to nobody who was found by other words', async () => {
    const own = await seedTenant(parley)
    for (const name of ['ada-lovelace', 'grace-hopper']) await expectOk(own.as(name, 'GET', '/me'))
    const { page, faults } = await openPage(browser, origin)
    await enterConsole(page, origin, own.key)
    await page.locator('#main h1').waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox')
    await field.fill('ada-lo')
    await page.getByRole('option', { name: 'ada-lovelace' }).waitFor()
    const comes = Promise.withResolvers<void>()
    await page.route('**/v1/manage/users?**', async (route) => {
      await comes.promise
      await route.continue()
    })
    await field.fill('grace-ho')
    await field.press('Enter')
    await page.getByRole('option', { name: 'ada-lovelace' }).waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).hash).toBe('#/')
    comes.resolve()
    await page.getByRole('option', { name: 'grace-hopper' }).waitFor()
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'grace-hopper' }).waitFor()
    expect(faults).toEqual([])
  })

  it('goes from one of many agents to another by typing, keeping what is looked at', async () => {
    const many = await seedTenant(parley)
    for (let n = 10; n < 45; n++)
      await expectOk(many.call('PUT', `/v1/agents/desk-${n}`, { published: false }))
    const { page, faults } = await openPage(browser, origin)
    await enterConsole(page, origin, many.key, '/agents/desk-10/history')
    await page.getByRole('heading', { name: 'desk-10' }).waitFor()
    await page.getByRole('button', { name: 'Go to agent: desk-10' }).press('Enter')
    await page.getByRole('option').nth(34).waitFor()
    await noViolations(page)
    await page.keyboard.type('DESK-3')
    await expect.poll(() => page.getByRole('option').count()).toBe(10)
    for (let n = 0; n < 9; n++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/agents/desk-39/history')
    await expect.poll(() => page.title()).toBe('desk-39 · History · Parley')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('desk')
    await page.getByText('5 more. Type on to narrow them down.').waitFor()
    expect(faults).toEqual([])
  })

  it('gives the focus to the title of a screen, but takes it from nobody who has gone on meanwhile', async () => {
    const own = await seedTenant(parley)
    await expectOk(own.call('PUT', '/v1/agents/desk', { published: false }))
    const { page, faults } = await openPage(browser, origin)
    let isRead = () => {}
    const waited = new Promise<void>((resolve) => {
      isRead = resolve
    })
    await page.route('**/v1/agents/desk/revisions', async (route) => {
      await waited
      await route.continue()
    })
    await enterConsole(page, origin, own.key, '/agents/desk/history')
    const title = page.getByRole('heading', { name: 'desk', exact: true })
    const find = page.getByRole('button', { name: 'Go to agent: desk' })
    const isHeld = (place: typeof find) =>
      expect.poll(() => place.evaluate((element) => element === document.activeElement)).toBe(true)
    await find.focus()
    isRead()
    await title.waitFor()
    await isHeld(find)
    await page.getByRole('link', { name: 'Overview' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await find.waitFor({ state: 'detached' })
    await page.goBack()
    await title.waitFor()
    await isHeld(title)
    expect(faults).toEqual([])
  })

  it('shows a new place from its top, and what Back leads to as far down as it was read', async () => {
    const own = await seedTenant(parley)
    for (let n = 10; n < 40; n++) {
      await expectOk(own.call('PUT', `/v1/agents/desk-${n}`, { published: false }))
    }
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 320, height: 256 },
    })
    await enterConsole(page, origin, own.key, '/agents')
    const depth = () => page.evaluate(() => scrollY)
    await page.getByRole('link', { name: 'desk-10' }).waitFor()
    await expect.poll(depth).toBe(0)
    const link = page.getByRole('link', { name: 'desk-35' })
    await link.scrollIntoViewIfNeeded()
    const read = await depth()
    expect(read).toBeGreaterThan(1000)
    await link.click()
    await page.getByLabel('Soul').waitFor()
    await expect.poll(depth).toBe(0)
    await page.goBack()
    await expect.poll(depth).toBe(read)
    await page.goForward()
    await page.getByLabel('Soul').waitFor()
    await expect.poll(depth).toBe(0)
    expect(faults).toEqual([])
  })

  it('is gone through by keyboard alone: an agent, a document, a question, an address, and out', async () => {
    const own = await seedTenant(parley)
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 1280, height: 860 },
    })
    const { keyboard } = page
    /** What has the focus, by its words. */
    const held = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement
        const words = element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent
        return `${element.localName} ${words ?? ''}`
      })
    const tabTo = async (wanted: RegExp, key = 'Tab') => {
      for (let n = 0; n < 120; n++) {
        await keyboard.press(key)
        if (wanted.test(await held())) return
      }
      throw new Error(`the focus never came to ${wanted}, but is at ${await held()}`)
    }
    const isHeld = (wanted: string) => expect.poll(held).toContain(wanted)
    const find = async (name: string) => {
      await keyboard.press('Control+k')
      await isHeld('input Agent, skill')
      await keyboard.type(name)
      const first = page.locator('.palette > :first-child')
      await first.getByText(name, { exact: true }).waitFor()
      await keyboard.press('Enter')
    }

    await page.goto(`${origin}/console#/agents/new`)
    await isHeld('input API key')
    // Keys that are pressed before a page is painted are dropped.
    await expect
      .poll(() => page.evaluate(() => performance.getEntriesByType('paint').length))
      .toBeGreaterThan(0)
    await keyboard.type(own.key)
    await keyboard.press('Enter')
    await isHeld('h1 New agent')
    await tabTo(/^input Empty/)
    await keyboard.press('ArrowRight')
    await page.getByText('Customer support').waitFor()
    await tabTo(/^input Customer support/)
    await keyboard.press('Space')
    await tabTo(/^input Name/)
    await keyboard.press('Control+a')
    await keyboard.type('harbour')
    await keyboard.press('Enter')
    await isHeld('h1 harbour')

    await find('Knowledge')
    await isHeld('h1 Knowledge')
    await tabTo(/^button New knowledge base/)
    await keyboard.press('Enter')
    await isHeld('input Name')
    await keyboard.type('moorings')
    await keyboard.press('Enter')
    await isHeld('h1 moorings')
    await page.getByText('No documents yet').waitFor()
    await tabTo(/^input Choose files/)
    const chooser = page.waitForEvent('filechooser')
    await keyboard.press('Space')
    const name = 'moorings.md'
    const buffer = Buffer.from('# Moorings\n\nA mooring costs forty euros a night.')
    await (await chooser).setFiles([{ name, mimeType: 'text/markdown', buffer }])
    await page.getByText('Ready', { exact: true }).first().waitFor()
    await isHeld('input Choose files')

    await find('harbour')
    await isHeld('h1 harbour')
    await tabTo(/^input moorings/)
    await keyboard.press('Space')
    await tabTo(/^button Save/)
    await keyboard.press('Enter')
    await page.locator('.save-bar .state', { hasText: /^\s*Saved/ }).waitFor()
    await isHeld('button Save')
    await tabTo(/^textarea Message/)
    await keyboard.type('What does a mooring cost?')
    await keyboard.press('Enter')
    await page.locator('.talk-reply', { hasText: 'forty euros' }).waitFor()
    await tabTo(/^a Share/, 'Shift+Tab')
    await keyboard.press('Enter')
    await page.getByLabel('Alias').waitFor()
    await isHeld('h1 harbour')
    await tabTo(/^input Alias/)
    await tabTo(/^button Save/)
    await keyboard.press('Enter')
    await page.getByText('The address is saved.').waitFor()
    await isHeld('button Save')

    await tabTo(/^button Account/, 'Shift+Tab')
    await keyboard.press('Enter')
    await tabTo(/^button Sign out/)
    await keyboard.press('Enter')
    await isHeld('input API key')
    expect(faults).toEqual([])
  })

  describe('what is done before the next paint', () => {
    /** In the page: what was told is drawn, and nothing is painted yet. */
    const drawn = async () => {
      for (let turn = 0; turn < 20; turn++) await null
    }
    const write = (field: HTMLInputElement, words: string) => {
      field.value = words
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    const visit = async (path: string) => {
      const watched = await openPage(browser, origin, { viewport: { width: 320, height: 800 } })
      await watched.page.addInitScript(`globalThis.drawn = ${drawn}; globalThis.write = ${write}`)
      await enterConsole(watched.page, origin, tenant.key, path)
      await watched.page.locator('#main h1').waitFor()
      return watched.page
    }
    interface Quick {
      drawn: typeof drawn
      write: typeof write
    }

    it('opens the navigation of a place that was just come to', async () => {
      const page = await visit('/')
      const isOpen = await page.evaluate(async () => {
        const came = new Promise((resolve) => addEventListener('hashchange', resolve))
        location.hash = '#/audit'
        await came
        const { drawn } = globalThis as unknown as Quick
        await drawn()
        const menu = document.querySelector<HTMLElement>('.top-bar [aria-expanded]')
        menu?.click()
        await drawn()
        return menu?.ariaExpanded
      })
      expect(isOpen).toBe('true')
    })

    it('stays in a field that was just drawn', async () => {
      await seedAgent(tenant, 'swift')
      const page = await visit('/')
      const written = await page.evaluate(async () => {
        const { drawn, write } = globalThis as unknown as Quick
        const field = () => document.querySelector<HTMLInputElement>('.alias-input input')
        const came = new Promise<void>((resolve) => {
          new MutationObserver(() => field() && resolve()).observe(document, {
            childList: true,
            subtree: true,
          })
        })
        location.hash = '#/agents/swift/share'
        await came
        const alias = field()
        if (!alias) return null
        write(alias, 'own-words')
        await drawn()
        return alias.value
      })
      expect(written).toBe('own-words')
    })

    it('is written in the field that somebody went into at once', async () => {
      const page = await visit('/')
      const held = await page.evaluate(async () => {
        const field = () => document.querySelector<HTMLInputElement>('#main input[type=text]')
        const came = new Promise<void>((resolve) => {
          new MutationObserver(() => field() && resolve()).observe(document, {
            childList: true,
            subtree: true,
          })
        })
        location.hash = '#/knowledge/none/verify'
        await came
        field()?.focus()
        // What waits for a paint is over then.
        for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame)
        return document.activeElement?.localName
      })
      expect(held).toBe('input')
    })

    it('stays in a search whose first letters are told', async () => {
      const page = await visit('/audit')
      await page.getByLabel('Action').waitFor()
      const written = await page.evaluate(async () => {
        const { drawn, write } = globalThis as unknown as Quick
        const field = document.querySelector<HTMLInputElement>('.audit-filters input[type=search]')
        if (!field) return null
        const replace = history.replaceState.bind(history)
        const told = new Promise<void>((resolve) => {
          history.replaceState = (...parameters) => {
            replace(...parameters)
            resolve()
          }
        })
        write(field, 'a')
        await told
        await drawn()
        write(field, 'ab')
        await drawn()
        return field.value
      })
      expect(written).toBe('ab')
    })

    it('is asked about where it is left', async () => {
      const page = await visit('/skills/new')
      await page.locator('#main input').first().waitFor()
      await page.evaluate(async () => {
        const { drawn, write } = globalThis as unknown as Quick
        const field = document.querySelector<HTMLInputElement>('#main input')
        if (!field) throw new Error('there is no field')
        write(field, 'not-saved')
        await drawn()
        location.hash = '#/users'
      })
      await page.getByText('Leave without saving?').waitFor()
    })
  })

  it('is searched by several words, however slowly they are written', async () => {
    const { page, faults } = await openPage(browser, origin)
    await enterConsole(page, origin, tenant.key, '/users')
    const field = page.getByRole('searchbox')
    await field.pressSequentially('ada ')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/users?q=ada')
    await field.pressSequentially('lovelace')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/users?q=ada+lovelace')
    await expect.poll(() => field.inputValue()).toBe('ada lovelace')
    expect(faults).toEqual([])
  })

  it('is left by a menu of the bar, with nothing of the tenant in the page', async () => {
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 390, height: 800 },
    })
    await page.goto(`${origin}/console#/skills/new`)
    await page.getByLabel('Keep in this tab').check()
    await enterConsole(page, origin, tenant.key)
    await page.getByLabel('Name', { exact: true }).fill('secret-plan')
    await page.evaluate((name) => {
      sessionStorage.setItem('console:site-import:secret', 'job')
      Object.assign(globalThis, { remembered: name })
    }, tenant.alias)

    // What is not saved is asked about, once.
    await leave(page)
    await page.getByRole('button', { name: 'Stay' }).click()
    await leave(page)
    await noViolations(page)
    await takePicture(page, 'console-account')
    await page.getByRole('button', { name: 'Leave', exact: true }).click()

    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('type'))
    await page.getByLabel('API key').waitFor()
    await expect.poll(focused).toBe('password')
    await expect.poll(() => page.title()).toBe('Sign in to the console · Parley')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/')
    const left = () =>
      page.evaluate(() => ({
        stored: sessionStorage.length,
        remembered: 'remembered' in globalThis,
        isNamed: /Acme|secret-plan/.test(document.documentElement.outerHTML),
      }))
    await expect.poll(left).toEqual({ stored: 0, remembered: false, isNamed: false })
    expect(faults).toEqual([])
  })

  it('keeps what is not saved when its key ends, for the same tenant alone', async () => {
    const { page, faults } = await openPage(browser, origin)
    const other = await seedTenant(parley, { name: 'Other' })
    const loseKey = async (first: string) => {
      const { json } = await tenant.call('POST', '/v1/tenant/keys', { name: 'short' })
      await page.goto(`${origin}/console#${first}`)
      await page.reload()
      await enterConsole(page, origin, json.api_key)
      await page.getByLabel('Name', { exact: true }).fill('late-skill')
      await expectOk(tenant.call('POST', `/v1/tenant/keys/${json.id}/revoke`))
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByText('Sign in again').waitFor()
      await page.getByLabel('Name', { exact: true }).waitFor({ state: 'hidden' })
      await noViolations(page)
    }
    await loseKey('/skills/new')
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    await enterConsole(page, origin, tenant.key)
    await expect
      .poll(() => page.getByLabel('Name', { exact: true }).inputValue())
      .toBe('late-skill')
    await expect.poll(() => page.title()).not.toContain('Sign in')
    await expect.poll(() => page.getByText('Invalid API key').count()).toBe(0)
    await page.getByRole('button', { name: 'Create' }).click()
    await expect.poll(() => new URL(page.url()).hash).toContain('/skills/late-skill')

    await loseKey('/skills/new')
    await enterConsole(page, origin, other.key)
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
    await page.getByText('Other').waitFor()
    const html = () => page.evaluate(() => document.documentElement.outerHTML)
    await expect.poll(html).not.toContain('late-skill')
    expect(faults).toEqual([])
  })

  /** What a tab sees that was opened before a deployment: another build is served, and its own late files are gone. */
  const deployAnother = async (
    page: Page,
    gone: string | RegExp = /\/assets\/(?:console\/|console-)/,
  ) => {
    await page.route(gone, (route) => route.fulfill({ status: 404, body: 'not found' }))
    await page.route('**/assets/manifest.json', (route) =>
      route.fulfill({ json: { console: { script: '/assets/console/console-LATER000.js' } } }),
    )
  }

  it('says after a deployment that there is a new version, and loads it at the same place', async () => {
    const { page, faults } = await openPage(browser, origin)
    await page.goto(`${origin}/console#/skills/new`)
    await page.getByLabel('Keep in this tab').check()
    await enterConsole(page, origin, tenant.key)
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('half-written')
    await deployAnother(page)

    // Words of another language: the draft stays, and leaving it is asked about.
    await page.getByRole('button', { name: 'Language and theme' }).click()
    await page.getByLabel('Language', { exact: true }).selectOption('fr')
    const told = page.getByRole('alert').filter({ hasText: 'There is a new version' })
    await told.waitFor()
    await noViolations(page)
    await told.getByRole('button', { name: 'Reload' }).click()
    // The browser's question, which the record of this page answers with no.
    await expect.poll(() => faults).toEqual(['dialog: '])
    await expect.poll(() => name.inputValue()).toBe('half-written')
    await page.keyboard.press('Escape')

    // A screen.
    await page.getByRole('link', { name: 'Knowledge' }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('main').getByText('There is a new version').waitFor()
    await takePicture(page, 'console-new-version')
    await page.unrouteAll()
    await page.getByRole('main').getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Knowledge' }).waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe('#/knowledge')
    expect(faults).toEqual(['dialog: '])
  })

  it('says of a late part what it says of a screen, and tries again where only the network failed', async () => {
    const { page } = await openPage(browser, origin, { viewport: { width: 1280, height: 800 } })
    await enterConsole(page, origin, tenant.key)
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await page.route('**/assets/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Usage' }).click()
    // The overview may have had a part on its way that failed too.
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor({ state: 'detached' })
    await page.getByText('The server cannot be reached').waitFor()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unrouteAll()
    await again.click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()

    await seedAgent(tenant, 'desk')
    // The test chat comes after the form beside it.
    const parts: Record<string, string[]> = JSON.parse(
      readFileSync('dist/console-screens.json', 'utf8'),
    )
    const late = parts['agents/talk/talk.tsx']?.[0] ?? ''
    expect(late).not.toBe('')
    await deployAnother(page, `**${late}`)
    await page.evaluate(() => {
      location.hash = '#/agents/desk'
    })
    await page.getByRole('main').getByText('There is a new version').waitFor()
    await page.getByRole('heading', { level: 1, name: 'desk' }).waitFor()
  })
})
