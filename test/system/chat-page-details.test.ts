import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { noMatchReply } from '../support/chat-samples'
import { reply } from '../support/chat-server'
import { noViolations, TOUCH, takePicture } from './browser'
import { ask, openMenu, sourcesShown } from './chat'
import { forVisits, server, visit } from './chat-visits'

forVisits()

const visitIn = (lang: string, options: BrowserContextOptions = {}) =>
  visit(`/a/acme/front-desk?lang=${lang}`, options)

const styleOf = (page: Page, selector: string, name: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)

const boxOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { top, bottom, height } = element.getBoundingClientRect()
      return { top, bottom, height: Math.round(height) }
    })

describe('what is read', () => {
  it('has the characters that a reference means, but in code', async () => {
    const page = await visit()
    server.script = () => reply('R&amp;D &lt;b&gt; costs 5&nbsp;€ in `a &amp;&amp; b`.')
    await ask(page, 'Question')
    await expect
      .poll(() => page.locator('.reply .md').textContent())
      .toBe('R&D <b> costs 5\u00A0€ in a &amp;&amp; b.')
    // The parser cuts a text at the begin of lines and before what may be markup.
    const lines = ['## &lt;h&gt;', '&lt;p&gt; &#8212;', '- &quot;x&quot;', '**&amp;lt; &**']
    server.script = () => reply(lines.join('\n'))
    await ask(page, 'Question')
    await expect
      .poll(() => page.locator('.reply .md').last().textContent())
      .toBe('<h><p> —"x"&lt; &')
  })

  it('is strong between two underscores as between two stars', async () => {
    const page = await visit()
    server.script = () => reply('__Note:__ so __it is__, but foo__bar__baz and `__init__`.')
    await ask(page, 'Question')
    const shown = page.locator('.reply .md')
    await expect.poll(() => shown.locator('strong').allTextContents()).toEqual(['Note:', 'it is'])
    await expect
      .poll(() => shown.textContent())
      .toBe('Note: so it is, but foo__bar__baz and __init__.')
  })

  it('shows the whole number of a list that begins with a year, on a phone too', async () => {
    const page = await visitIn('en', TOUCH)
    server.script = () => reply('2019. It began.\n2020. It grew.')
    await ask(page, 'Question')
    const item = page.locator('.reply li').first()
    await item.waitFor()
    const [room, needed] = await item.evaluate((element) => {
      const pen = document.createElement('canvas').getContext('2d')
      if (pen === null) throw new Error('nothing to measure with')
      pen.font = getComputedStyle(element).font
      return [element.getBoundingClientRect().left, pen.measureText('2019. ').width] as const
    })
    expect(room).toBeGreaterThanOrEqual(needed)
  })

  it('has the source of a formula as code, whatever signs it is written in', async () => {
    const page = await visit()
    const lines = [
      'Inline \\(a_1\\), \\[\\frac{a}{b}\\], $$c = d$$, \\[y\\]; not \\[1\\], [2], ($$) or $5.',
      '\\[\nx^2\n\\]',
      '$$\nE = mc^2\n$$',
      'Code: `\\[z = 1\\]` and\n```\n$$z = 1$$\n```',
    ]
    server.script = () =>
      reply(lines.join('\n\n'), { sources: [{ n: 2, document_id: 'd', title: 'T' }] })
    await ask(page, 'Question')
    const shown = page.locator('.reply .md')
    await expect
      .poll(() => shown.locator('code.math').allTextContents())
      .toEqual(['a_1', '\\frac{a}{b}', 'c = d', 'y', 'x^2\n', 'E = mc^2\n'])
    await expect
      .poll(() => shown.locator('code:not(.math)').allTextContents())
      .toEqual(['\\[z = 1\\]', '$$z = 1$$'])
    await expect
      .poll(() => shown.locator('p').first().textContent())
      .toBe('Inline a_1, \\frac{a}{b}, c = d, y; not [1], 1, ($$) or $5.')
  })

  it('is read as elsewhere, sign by sign, and what is there stays as it is', async () => {
    const page = await visit()
    const text = [
      'First words.',
      '1) Run:\n\n   ~~~bash\n   npm i\n   ~~~\n\n2) See <https://x.example/a_(b)>.',
      '> | a | b |\n> |---|---|\n> | 1 | 2 |',
      '- [x] done\n\n  - deeper',
      'Last.',
    ].join('\n\n')
    await page.evaluate(() => {
      const seen = new Set<Node>()
      const look = () => {
        const first = document.querySelector('.reply .md')?.firstChild
        if (first) seen.add(first)
        document.body.dataset.seen = String(seen.size)
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    })
    server.script = () => reply(text, { size: 1 })
    await ask(page, 'Question')
    const shown = page.locator('.reply .md')
    await shown.locator('p', { hasText: 'Last.' }).waitFor()
    const tags = () =>
      shown.evaluate((element) =>
        [...element.querySelectorAll('p, ol, li, pre, a, blockquote, table, ul, .check')].map(
          ({ localName, parentElement }) => `${parentElement?.localName} ${localName}`,
        ),
      )
    const list = ['div ol', 'ol li', 'figure pre', 'ol li', 'li a']
    const tasks = ['div ul', 'ul li', 'li span', 'li ul', 'ul li']
    await expect
      .poll(tags)
      .toEqual(['div p', ...list, 'div blockquote', 'div table', ...tasks, 'div p'])
    await expect.poll(() => page.locator('.reply pre').textContent()).toBe('npm i')
    await expect.poll(() => page.evaluate(() => document.body.dataset.seen)).toBe('1')
  })

  it('has what follows a table behind it, and its rows whole, however their ends are written', async () => {
    const page = await visit()
    const table = '| a | b |\n|---|---|\n| 1 | 2 |\n'
    const shown = page.locator('.reply').last().locator('.md')
    for (const [text, after] of [
      ['## Next', 'h3'],
      ['3. Third', 'ol'],
      ['- First', 'ul'],
      ['> Said', 'blockquote'],
      ['```\ncode\n```', 'figure'],
      ['It goes on.', 'p'],
    ] as const) {
      server.script = () => reply(table + text)
      await ask(page, 'Question')
      await expect.poll(() => shown.locator(`.table-scroll + ${after}`).count()).toBe(1)
      await expect.poll(() => shown.locator('table').allInnerTexts()).toEqual(['a\tb\n1\t2'])
    }
    for (const rows of [
      ['| a | b |  ', '|---|---| ', '| 1 | 2 |\t', '| 3 | 4 |   '],
      ['| a | b', '|---|---', '| 1 | 2', '| 3 | 4'],
      ['- Here:', '', '  | a | b |', '  |---|---|', '  | 1 | 2 |', '  | 3 | 4 |'],
      ['| a | b |\r', '|---|---|\r', '| 1 | 2 |\r', '| 3 | 4 |\r'],
    ]) {
      server.script = () => reply(`${rows.join('\n')}\n\nEnd.`, { size: 1 })
      await ask(page, 'Question')
      await shown.locator('p', { hasText: 'End.' }).waitFor()
      await expect.poll(() => shown.locator('table').allInnerTexts()).toEqual(['a\tb\n1\t2\n3\t4'])
    }
    // Code says what it says.
    server.script = () => reply('```\n| a | b  \ntext\n```')
    await ask(page, 'Question')
    await expect.poll(() => shown.locator('pre').textContent()).toBe('| a | b  \ntext')
  })

  it('begins with the first word of the greeting, however low the window is', async () => {
    const page = await visit('/a/acme/front-desk', { viewport: { width: 320, height: 300 } })
    await page.locator('.intro .chip').first().waitFor({ state: 'attached' })
    const hidden = () =>
      page.evaluate(() => {
        const top = (of: string) => document.querySelector(of)?.getBoundingClientRect().top ?? 0
        const log = document.querySelector('.log')
        const isLow = log !== null && log.scrollHeight > log.clientHeight
        return isLow && Math.max(0, top('.log') - top('.intro'))
      })
    await expect.poll(hidden).toBe(0)
  })

  it('is code in letters of one width (#14.8)', async () => {
    const page = await visit()
    await ask(page, 'Question')
    for (const selector of ['.md li code', '.md pre code']) {
      await expect.poll(() => styleOf(page, selector, 'font-family')).toContain('monospace')
      const widths = () =>
        page
          .locator(selector)
          .first()
          .evaluate((code) =>
            ['iiii', 'MMMM'].map((letters) => {
              const probe = code.cloneNode() as HTMLElement
              probe.style.cssText = 'display:inline-block;padding:0;border:0'
              probe.textContent = letters
              code.after(probe)
              const { width } = probe.getBoundingClientRect()
              probe.remove()
              return width
            }),
          )
      await expect.poll(async () => new Set(await widths()).size).toBe(1)
    }
  })

  it('is told once where nothing was found (#14.8)', async () => {
    const page = await visit()
    server.script = () => noMatchReply()
    await ask(page, 'Nothing')
    await page.locator('.no-match').waitFor()
    const told = async () =>
      (await page.locator('.reply').textContent())?.match(
        /nothing about that|no source|not found/gi,
      )
    await expect.poll(told).toEqual(['nothing about that'])
    await expect.poll(() => page.locator('.reply .quiet').count()).toBe(0)
  })

  it('goes in its own direction, whatever the page goes in', async () => {
    const page = await visitIn('ar')
    const text = 'English first.\n\nثم بالعربية.\n\n- one `rm -rf` \n\n```sh\nls -la\n```'
    server.script = () => reply(text)
    await page.fill('.composer textarea', 'Hello there')
    await expect.poll(() => styleOf(page, '.composer textarea', 'direction')).toBe('ltr')
    await page.fill('.composer textarea', '')
    await expect.poll(() => styleOf(page, '.composer textarea', 'direction')).toBe('rtl')
    await ask(page, 'Hello there')
    const directions = async () =>
      Promise.all(
        ['.bubble', '.md p:nth-of-type(1)', '.md p:nth-of-type(2)', '.md ul', '.md pre', 'h1'].map(
          (selector) => styleOf(page, selector, 'direction'),
        ),
      )
    await expect.poll(directions).toEqual(['ltr', 'ltr', 'rtl', 'ltr', 'ltr', 'ltr'])
    await expect.poll(() => styleOf(page, '.md li code', 'unicode-bidi')).toBe('isolate')
  })

  it('draws what points along the text the other way round in Arabic, and a pencil as it is (#14.8)', async () => {
    for (const [lang, mirrored] of [
      ['en', 'none'],
      ['ar', 'matrix(-1, 0, 0, 1, 0, 0)'],
    ] as const) {
      const page = await visitIn(lang)
      await ask(page, 'Question')
      await sourcesShown(page)
      await page.locator('button.cite').first().click()
      await page.locator('.source a .icon').first().waitFor()
      await expect.poll(() => styleOf(page, '.source a .icon', 'transform')).toBe(mirrored)
      await expect.poll(() => styleOf(page, '.bar-button .icon', 'transform')).toBe('none')
      if (lang === 'en') await server.stop()
    }
  })

  it('shows the name of a source over its mark, for the pointer and the keyboard, until Escape', async () => {
    const page = await visit()
    await ask(page, 'Question')
    await sourcesShown(page)
    const mark = page.locator('button.cite').first()
    const tip = page.locator('.tip')
    const words = async () => (await tip.count()) > 0 && tip.textContent()
    // A conversation that still moves below the pointer takes it away again.
    const pointed = async () => {
      await page.locator('h1').hover()
      await mark.hover()
      return words()
    }
    await expect.poll(pointed).toBe('Source 1: Returns and exchanges')
    await page.locator('h1').hover()
    await tip.waitFor({ state: 'detached' })
    await mark.focus()
    await expect.poll(words).toBe('Source 1: Returns and exchanges')
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'detached' })
  })

  it('has no two places of the same name, however often something is answered (#14.8)', async () => {
    const page = await visitIn('en', { viewport: { width: 1440, height: 900 } })
    await ask(page, 'Question')
    await sourcesShown(page)
    await ask(page, 'Once more')
    await sourcesShown(page)
    await page.locator('button.cite').first().click()
    await page.locator('.panel .source.is-open mark').waitFor()
    await noViolations(page)
  })
})

describe('what is taken along', () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

  it('is a code by its own button, and a reply with its sources (#14.3)', async () => {
    const page = await visitIn('en', { permissions })
    await ask(page, 'Question')
    await sourcesShown(page)
    await page.locator('.code-copy').click()
    await expect
      .poll(() => copied(page))
      .toBe('curl https://acme.example/v1/returns -d order_id=1042')
    await page.getByRole('button', { name: 'Copy', exact: true }).last().click()
    await expect.poll(() => copied(page)).toContain('You can return most items within 30 days')
    await expect.poll(() => copied(page)).toMatch(/Sources:\n- Returns and exchanges\n- Terms of/)
    await expect.poll(() => copied(page)).not.toMatch(/\*\*|\[\d\]/)
  })

  it('is a marked part of a reply, without the bar over its code', async () => {
    const page = await visit()
    server.script = () => reply('Run:\n\n```sh\nnpm install\n```\n\nThen it runs.')
    await ask(page, 'Question')
    const marked = () =>
      page.locator('.reply .md').evaluate((element) => {
        getSelection()?.selectAllChildren(element)
        return getSelection()?.toString().split(/\n+/)
      })
    await expect.poll(marked).toEqual(['Run:', 'npm install', 'Then it runs.'])
  })

  it('is the whole conversation as a text file, with its sources (#14.8)', async () => {
    const page = await visit()
    await ask(page, 'How do I return an item?')
    await sourcesShown(page)
    await openMenu(page)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as text' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('Front desk.txt')
    const text = await readFile(await saved.path(), 'utf8')
    expect(text).toMatch(
      /^You, .+\nHow do I return an item\?\n\nFront desk, .+\nYou can return most/,
    )
    expect(text).toContain(
      'Sources:\n- Returns and exchanges\n- Terms of sale\n- Payment and refunds handbook',
    )
  })
})

describe('where one writes', () => {
  it('grows to six lines, and shows no text beyond its border (#14.8)', async () => {
    const page = await visitIn('en', { viewport: { width: 390, height: 700 } })
    await ask(page, 'Question')
    const field = '.composer textarea'
    const heights: number[] = []
    for (const lines of [1, 2, 6, 7, 40]) {
      await page.fill(field, Array(lines).fill('words').join('\n'))
      await expect.poll(() => page.inputValue(field)).toContain('words')
      heights.push((await boxOf(page, field)).height)
      const [text, row, composer, log, dock] = await Promise.all(
        [field, '.composer-row', '.composer', '.log', '.dock'].map((part) => boxOf(page, part)),
      )
      expect(text?.bottom).toBeLessThanOrEqual(row?.top ?? 0)
      expect(row?.bottom).toBeLessThanOrEqual(composer?.bottom ?? 0)
      expect(log?.bottom).toBeLessThanOrEqual((dock?.top ?? 0) + 1)
    }
    const [one = 0, two = 0, six = 0, seven, forty] = heights
    expect(two - one).toBeGreaterThan(15)
    expect(six - one).toBe(5 * (two - one))
    expect([seven, forty]).toEqual([six, six])
  })

  it('stays above the keyboard of a phone, also where the browser only tells how much it covers', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const page = await visitIn('en', phone)
    await ask(page, 'Question')
    await page.locator('.composer textarea').focus()
    const bottoms = async () => {
      const [composer, last] = await Promise.all([
        boxOf(page, '.composer'),
        boxOf(page, '.reply .actions'),
      ])
      return composer.bottom <= 460 && last.bottom <= composer.top
    }
    // The page itself gets smaller where the browser does as the page asks.
    await page.setViewportSize({ width: 390, height: 460 })
    await expect.poll(bottoms).toBe(true)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(async () => (await boxOf(page, '.page')).height).toBe(844)
    // As on iOS: the page stays as it is, and only what is visible of it gets smaller.
    await page.evaluate(() => {
      const view = window.visualViewport
      if (!view) throw new Error('no visual viewport')
      Object.defineProperty(view, 'height', { get: () => 460, configurable: true })
      view.dispatchEvent(new Event('resize'))
    })
    await expect.poll(bottoms).toBe(true)
    await takePicture(page, 'phone-keyboard')
  })

  it('leaves behind what a picture says of itself, also of a small one', async () => {
    const page = await visit()
    const bytes = await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 20
      return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
    })
    const plain = Buffer.from(bytes, 'base64')
    const note = Buffer.from('Exif\0\0taken at home')
    const head = Buffer.from([0xff, 0xe1, 0, note.length + 2])
    const buffer = Buffer.concat([plain.subarray(0, 2), head, note, plain.subarray(2)])
    await page
      .locator('input[type=file]:not([capture])')
      .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer })
    await page.getByRole('img', { name: 'me.jpg' }).waitFor()
    await page.press('.composer textarea', 'Enter')
    await page.locator('.reply .actions').waitFor()
    const [sent] = server.to('/v1/chat/stream').map(({ body }) => body as { images: string[] })
    const image = Buffer.from(sent?.images[0]?.split(',')[1] ?? '', 'base64')
    expect(image.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
    expect(image.includes('taken at home')).toBe(false)
  })
})

describe('how it looks to who looks otherwise', () => {
  it('shows where the keyboard is, on everything that it reaches', async () => {
    const page = await visitIn('en', { reducedMotion: 'reduce' })
    await ask(page, 'Question')
    await sourcesShown(page)
    await page.locator('.composer textarea').fill('words')
    await openMenu(page)
    const ring = () =>
      page.evaluate(() => {
        const at = document.activeElement
        if (!at || at === document.body) return null
        // A hidden radio button and the message field wear the ring of what holds them.
        const wearer = at.matches('input[type=radio]')
          ? at.nextElementSibling
          : (at.closest('.composer:has(> textarea:focus)') ?? at)
        if (!wearer) return null
        const { outlineStyle, outlineWidth, borderTopColor, outlineColor } =
          getComputedStyle(wearer)
        const border = borderTopColor === outlineColor ? 1 : 0
        const seen = outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth) + border
        return { on: `${at.localName} ${at.className} ${at.textContent?.slice(0, 20)}`, seen }
      })
    const faint = new Set<string>()
    const met = new Set<string>()
    for (let n = 0; n < 45; n++) {
      await page.keyboard.press('Tab')
      const found = await ring()
      if (!found) continue
      met.add(found.on)
      if (found.seen < 2) faint.add(found.on)
    }
    expect(met.size).toBeGreaterThan(15)
    expect([...faint]).toEqual([])
  })

  it('moves nothing for who wants no motion', async () => {
    const page = await visitIn('en', { reducedMotion: 'reduce' })
    const looked = Promise.withResolvers<void>()
    server.script = () => reply('A reply.', { until: looked.promise })
    await page.fill('.composer textarea', 'Question')
    await page.press('.composer textarea', 'Enter')
    await page.locator('.pulse').first().waitFor()
    await page.locator('.menu > button').hover()
    const moving = () =>
      page.evaluate(() => ({
        running: document.getAnimations().length,
        glides: getComputedStyle(document.querySelector('.log') as Element).scrollBehavior,
      }))
    await expect.poll(moving).toEqual({ running: 0, glides: 'auto' })
    looked.resolve()
    await page.locator('.reply .md').waitFor()
    await expect.poll(moving).toEqual({ running: 0, glides: 'auto' })
  })
})
