import type { Frame, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityTree } from './accessibility-tree'
import {
  cutWords,
  horizontalOverflow,
  noViolations,
  openPage,
  pressComposing,
  takePicture,
} from './browser'
import {
  answer,
  ask,
  browser,
  call,
  chatIn,
  forWidgets,
  type Noted,
  noticeIn,
  open,
  parley,
  parts,
  press,
  tenant,
  typeInto,
  visit,
} from './widget-site'

forWidgets()

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
        controls: true,
        opensFromOutside: false,
        expanded: 'true',
      })
    await takePicture(page, 'widget-open')
  })

  it('stands on a site that embeds nothing without consent (`Cross-Origin-Embedder-Policy`), and says so where there is no chat (#14.1)', async () => {
    const page = await visit({ path: '/embedder' })
    await press(page)
    await (await chatIn(page)).getByText('Welcome to Acme.').waitFor()
    const other = await visit({ path: '/embedder', agent: 'nobody' })
    await press(other)
    await noticeIn(other)
  })

  it('is used by keyboard alone: the composer has the focus, Escape gives it back (#14.1)', async () => {
    const page = await visit({ path: '/strict' })
    // Keys that are pressed before a page is painted are dropped.
    const reached = async () => {
      await page.keyboard.press('Tab')
      return (await parts(page)).focused
    }
    await expect.poll(reached).toBe('launcher')
    await page.keyboard.press('Enter')
    const frame = await chatIn(page)
    const focused = () => frame.evaluate(() => document.activeElement?.tagName)
    await expect.poll(focused).toBe('TEXTAREA')
    // As in WebKit, where the chat came long after the press.
    await frame.locator('textarea').blur()
    await typeInto(page, frame, 'Hello')
    await pressComposing(frame.locator('textarea'), 'Escape')
    await page.keyboard.type('!')
    await expect.poll(() => frame.locator('textarea').inputValue()).toBe('Hello!')
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
    await takePicture(page, 'widget-dark-start')
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

  it('a target that is no selector is told once, and the chat floats as without one (#14.1)', async () => {
    const page = await visit({ attributes: 'data-target="#1x"', html: '<div id="1x"></div>' })
    await press(page)
    await (await chatIn(page)).getByText('Welcome to Acme.').waitFor()
    const faults = open.at(-1)?.faults ?? []
    await expect
      .poll(() => faults)
      .toEqual([expect.stringContaining("'#1x' is not a valid selector")])
    faults.length = 0
  })

  it('what stands or opens by itself leaves the reader where they are, also on the next visit', async () => {
    const place = (page: Page) =>
      page.evaluate(() => [scrollY, document.activeElement?.id, document.hasFocus()])
    const page = await visit({
      attributes: 'data-target="#place"',
      html: '<input id="own"><p style="block-size: 3000px"></p><div id="place"></div>',
    })
    await page.focus('#own')
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    await page.evaluate(() => scrollTo(0, 0))
    await page.reload()
    await page.focus('#own')
    await answer(await chatIn(page)).waitFor()
    await expect.poll(() => place(page)).toEqual([0, 'own', true])
    await call(page, 'open')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('')

    const other = await visit({ attributes: 'data-open="always"', html: '<input id="own">' })
    await other.focus('#own')
    await (await chatIn(other)).getByText('Welcome to Acme.').waitFor()
    await expect.poll(() => place(other)).toEqual([0, 'own', true])
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

  it('shows the whole of its menu on the smallest screen', async () => {
    const page = await visit({ viewport: { width: 320, height: 568 } })
    await press(page)
    const frame = await chatIn(page)
    await frame.getByRole('button', { name: 'Menu' }).click()
    await frame.locator('.popover select').waitFor()
    const look = () =>
      frame.locator('.popover').evaluate((menu) => {
        const { left, right } = menu.getBoundingClientRect()
        return { isWithin: left >= 0 && right <= innerWidth, width: innerWidth }
      })
    await expect.poll(look).toEqual({ isWithin: true, width: 320 })
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
    // It is as wide as it can be.
    await expect.poll(() => frame.getByRole('button', { name: 'Wide chat' }).count()).toBe(0)
    await takePicture(page, 'widget-phone')
    await frame.getByRole('button', { name: 'Close' }).click()
    await expect.poll(async () => (await parts(page)).expanded).toBe('false')
  })

  it('stands where it should under rules of the page that reach everything, from right to left (#14.1)', async () => {
    const page = await visit({
      root: 'dir="rtl"',
      attributes: 'data-lang="ar"',
      html: '<style>body * { all: unset !important; opacity: 0.2 !important; transform: rotate(9deg) !important; position: static !important } div { display: none !important } :root { --accent: 210 40% 96% }</style>',
    })
    await expect
      .poll(() => parts(page))
      .toMatchObject({
        launcher: { x: 20, width: 56 },
        opacity: '1',
        name: 'محادثة',
        // A page's own colours are not the chat's.
        colour: 'rgb(11, 107, 93)',
      })
    await press(page)
    const frame = await chatIn(page)
    await expect.poll(async () => (await parts(page)).panel?.x).toBe(20)
    await expect.poll(() => frame.evaluate(() => document.documentElement.dir)).toBe('rtl')
    await takePicture(page, 'widget-rtl')
  })

  it('is of its own size, whatever the page calls a width (#14.1)', async () => {
    const page = await visit({ html: '<style>* { --width: 80px }</style>' })
    await press(page)
    await expect.poll(async () => (await parts(page)).panel?.width).toBe(400)
    const frame = await chatIn(page)
    await frame.getByRole('button', { name: 'Wide chat' }).click()
    await expect.poll(async () => (await parts(page)).panel?.width).toBe(640)
  })

  it('stays within the window of a page that is drawn larger, on a desk and on a phone (#14.1)', async () => {
    for (const viewport of [
      { width: 1024, height: 700 },
      { width: 390, height: 700 },
    ]) {
      const page = await visit({ viewport, html: '<style>html { zoom: 1.5 }</style>' })
      await press(page)
      const frame = await chatIn(page)
      await frame.getByText('Welcome to Acme.').waitFor()
      const { panel } = await parts(page)
      if (!panel) throw new Error('no panel')
      expect(Math.min(panel.x, panel.y)).toBeGreaterThanOrEqual(0)
      expect(panel.x + panel.width).toBeLessThanOrEqual(viewport.width)
      expect(panel.y + panel.height).toBeLessThanOrEqual(viewport.height)
    }
  })
})

describe('what a site may do with its body', () => {
  it('move it, write it from right to left, and replace it by the next page (#14.1)', async () => {
    const page = await visit({
      html: '<style>body { transform: translateX(50px); direction: rtl }</style>',
    })
    const launcher = async () => (await parts(page)).launcher
    await expect.poll(launcher).toMatchObject({ x: 20, y: 800 - 20 - 56 })
    await page.evaluate(() => document.body.replaceWith(document.createElement('body')))
    await press(page)
    await (await chatIn(page)).getByText('Welcome to Acme.').waitFor()
  })
})

describe('what a site may do with its root', () => {
  it.each(['transform: translateX(0)', 'contain: paint', 'perspective: 9px'])(
    'let it take along what is fixed: %s',
    async (style) => {
      const page = await visit({
        html: `<style>html { ${style} } body { block-size: 3000px }</style>`,
      })
      const launcher = async () => (await parts(page)).launcher
      await expect.poll(launcher).toMatchObject({ y: 800 - 20 - 56 })
      await press(page)
      await (await chatIn(page)).getByText('Welcome to Acme.').waitFor()
      const isInside = async () => {
        const { y = -1, height = 800 } = (await parts(page)).panel ?? {}
        return y >= 0 && y + height <= 800 - 20 - 56
      }
      await expect.poll(isInside).toBe(true)
    },
  )
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

  it.each(['en', 'ar', 'zh', 'ru'] as const)(
    'no rule of accessibility is broken, and nothing is cut off at any width: %s (#14)',
    { timeout: 90_000 },
    async (lang) => {
      const page = await visit({
        attributes: `data-lang="${lang}" data-launcher="label"`,
        root: lang === 'ar' ? 'dir="rtl"' : '',
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        opensRoot: true,
      })
      const isChecked = lang === 'en' || lang === 'ar'
      const frameFits = async (frame: Frame) => {
        if (isChecked) await noViolations(frame)
      }
      const pageFits = async () => {
        if (isChecked) await noViolations(page)
      }
      await expect.poll(async () => (await parts(page)).launcher?.width).toBeGreaterThan(56)
      await pageFits()
      await press(page)
      const frame = await chatIn(page)
      await frame.getByText('Welcome to Acme.').waitFor()
      await frameFits(frame)
      await ask(frame, 'When are refunds paid?')
      await answer(frame).waitFor()
      await frame.locator('.reply .actions').waitFor()
      await frameFits(frame)
      await pageFits()
      await frame.locator('.menu > button').click()
      await frame.locator('.popover select').waitFor()
      await frameFits(frame)
      for (const width of [1280, 768, 640, 320]) {
        // 640 × 400: the first one at 200 %.
        await page.setViewportSize({ width, height: width === 640 ? 400 : 800 })
        await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
        await expect.poll(() => horizontalOverflow(frame)).toBeLessThanOrEqual(0)
        await expect.poll(() => cutWords(frame)).toEqual([])
        const isIn = async () => {
          const { panel } = await parts(page)
          if (!panel) return null
          return panel.x >= 0 && panel.y >= 0 && panel.x + panel.width <= width
        }
        await expect.poll(isIn).toBe(true)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await takePicture(page, `widget-${lang}-${colorScheme}-${width}`)
        }
      }
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
    // What the third site does to itself is not ours; the chat on it is.
    await noViolations(name === 'hostile' ? frame : page)
    expect(watched.strangers).toEqual([])
    await takePicture(page, `widget-demo-${name}`)
  })

  it('are listed on a page that looks as the others do (#14.1)', async () => {
    const watched = await openPage(browser, parley.url.origin, {
      viewport: { width: 320, height: 640 },
    })
    open.push(watched)
    const { page } = watched
    await page.goto(`${parley.url.origin}/widget-demo?tenant=${tenant.id}&agent=front-desk`)
    const row = page.locator('.directory a').first()
    const round = () => row.evaluate((link) => getComputedStyle(link).borderRadius)
    await expect.poll(round).toBe('10px')
    await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
    await noViolations(page)
    await takePicture(page, 'widget-demo')
    await page.getByRole('link', { name: 'A plain site' }).click()
    await page.waitForFunction(() => 'Parley' in globalThis)
    expect(watched.strangers).toEqual([])
  })
})
