import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type ChatBody, reply } from '../support/chat-server'
import { RICH_SOURCES } from '../support/chat-sources'
import { HOSTILE_REPLIES } from '../support/hostile-replies'
import { PIXEL_BASE64 } from '../support/image-bytes'
import { openPage, takePicture } from './browser'
import { answered, ask, say, sourcesShown, watchReads } from './chat'
import { browser, forVisits, lastReply, server, visit, watchedPages } from './chat-visits'

forVisits()

/** A form, whose code comes late. */
const asksWhy = () => [
  { event: 'form', data: { title: 'Return', fields: [{ name: 'why', label: 'Why' }] } },
  { event: 'done', data: { reply: 'Please fill in:', finish_reason: 'form' } },
]

describe('a turn that does not go straight', () => {
  it('stops on request, keeps what was written and goes on', async () => {
    const page = await visit()
    server.script = () =>
      reply('one two three four five six seven eight nine ten', {
        holdAt: 8,
        until: new Promise(() => undefined),
      })
    await say(page, 'Count')
    await page.getByText('one two').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.locator('.quiet', { hasText: 'Stopped before the end.' }).waitFor()
    expect(server.to('/v1/chat/stop').map((r) => r.body)).toEqual([{ session_id: 'session-2' }])
    await answered(page)
    await expect
      .poll(() => lastReply(page).locator('.md').textContent())
      .toMatch(/^one two(?!.*ten)/)
    server.script = () => reply('Fine.')
    await say(page, 'Again')
    await answered(page, 2)
    await expect.poll(() => lastReply(page).locator('.md').textContent()).toBe('Fine.')
  })

  it('resumes after a lost connection without a gap or a repeat', async () => {
    const page = await visit()
    server.allRead = await watchReads(page, server)
    const text = Array.from({ length: 60 }, (_, i) => `w${i}`).join(' ')
    const frames = reply(text, { size: 9, wait: 15 })
    server.script = () =>
      frames.map((f, i) => ({ ...f, cut: i === 3 || i === 4 || i === 15, wait: 15 }))
    await say(page, 'Count')
    await page.getByText('Connection lost. Reconnecting.').waitFor()
    await answered(page)
    await expect.poll(() => lastReply(page).locator('.md').textContent()).toBe(text)
    const resumed = server.requests.filter((r) => /^\/v1\/chat\/stream\/message-/.test(r.path))
    expect(resumed.map((r) => r.headers['last-event-id'])).toEqual(['5', '6', '17'])
    expect(server.to('/v1/chat/stream')).toHaveLength(1)
    await expect.poll(() => page.locator('.banner').count()).toBe(0)
  })

  it('takes up a running answer after a reload, and keeps the conversation', async () => {
    const page = await visit()
    const text = Array.from({ length: 30 }, (_, i) => `w${i}`).join(' ')
    const reloaded = Promise.withResolvers<void>()
    server.script = () =>
      reply(text, { size: 4, holdAt: text.indexOf('w9'), until: reloaded.promise })
    await say(page, 'Count')
    await page.getByText('w5').waitFor()
    await page.reload()
    await page.getByText('w5').waitFor()
    reloaded.resolve()
    await answered(page)
    await expect.poll(() => page.locator('.bubble').allTextContents()).toEqual(['Count'])
    await expect.poll(() => lastReply(page).locator('.md').textContent()).toBe(text)
    await page.reload()
    await expect.poll(() => lastReply(page).locator('.md').textContent()).toBe(text)
    await say(page, 'More')
    await answered(page, 2)
    expect(server.to('/v1/chat/stream').at(-1)?.body).toMatchObject({ session_id: 'session-2' })
    expect(server.to('/auth/anonymous')).toHaveLength(1)
  })

  it('renews an expired visit once, silently, and says that the memory is gone', async () => {
    const page = await visit()
    await say(page, 'One')
    await answered(page)
    server.revoked.add('visitor-1')
    server.script = () => reply('Two.')
    await say(page, 'Two')
    await answered(page, 2)
    await expect.poll(() => lastReply(page).locator('.md').textContent()).toBe('Two.')
    await expect.poll(() => page.locator('.note').count()).toBe(1)
    const tries = server.to('/v1/chat/stream')
    expect(tries).toHaveLength(3)
    expect(tries[2]?.headers.authorization).not.toBe('Bearer visitor-1')
    expect(tries[2]?.body).toEqual({ message: 'Two', agent: 'Front desk' })
  })

  it('offers another try when the network is away, with the same idempotency key', async () => {
    const page = await visit()
    server.down = true
    await say(page, 'Hello')
    await page.locator('.problem', { hasText: 'The connection was lost' }).waitFor()
    server.down = false
    server.script = () => reply('Back.')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.md', { hasText: 'Back.' }).waitFor()
    await answered(page)
    await expect.poll(() => page.locator('.bubble').count()).toBe(1)
    await expect.poll(() => page.locator('.reply').count()).toBe(1)
    server.down = true
    await say(page, 'Again')
    await page.locator('.problem').waitFor()
    server.down = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await answered(page, 2)
    const keys = server.to('/v1/chat/stream').map((r) => r.headers['idempotency-key'])
    // The browser itself repeats a request whose kept-alive connection broke: that too is the same message.
    expect(keys.length).toBeGreaterThanOrEqual(3)
    expect([...new Set(keys)]).toEqual([keys[0], keys.at(-1)])
    expect(keys[1]).not.toBe(keys[0])
  })

  it('sends what waited in order, each once, although the browser is online before its network is', async () => {
    const page = await visit()
    server.script = ({ message }) => reply(`Heard ${message}.`)
    await ask(page, 'Hello')
    await page.context().setOffline(true)
    await page.getByText('You are offline. Your text is kept.').waitFor()
    await say(page, 'One')
    await say(page, 'Two')
    await expect.poll(() => page.locator('.queued').count()).toBe(2)
    server.down = true
    const said = () => server.to('/v1/chat/stream').slice(1)
    await page.context().setOffline(false)
    await expect.poll(() => said().length).toBeGreaterThan(0)
    await expect.poll(() => page.locator('.queued').count()).toBe(2)
    // Who speaks meanwhile does not overtake.
    await say(page, 'Three')
    await expect.poll(() => page.locator('.queued').count()).toBe(3)
    server.down = false
    await answered(page, 4)
    await expect
      .poll(() => page.locator('.messages .bubble, .messages .md').allTextContents())
      .toEqual([
        'Hello',
        'Heard Hello.',
        'One',
        'Heard One.',
        'Two',
        'Heard Two.',
        'Three',
        'Heard Three.',
      ])
    await expect.poll(() => page.locator('.problem').count()).toBe(0)
    const keys = new Map<unknown, Set<unknown>>()
    for (const { body, headers } of said()) {
      const { message } = body as ChatBody
      keys.set(message, (keys.get(message) ?? new Set()).add(headers['idempotency-key']))
    }
    expect([...keys].map(([message, used]) => [message, used.size])).toEqual([
      ['One', 1],
      ['Two', 1],
      ['Three', 1],
    ])
  })

  it('keeps what is said without a network while a reply is unfinished, and sends it after', async () => {
    const page = await visit()
    const goesOn = Promise.withResolvers<void>()
    const half = 'This is the half of it. '
    server.script = ({ message }) =>
      message === 'Go on'
        ? reply('Went on.')
        : reply(`${half}And this is the rest.`, { until: goesOn.promise, holdAt: half.length + 8 })
    await say(page, 'Hello')
    await page.getByText(half.trim()).waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline. Your text is kept.').waitFor()
    await say(page, 'Go on')
    await expect.poll(() => page.locator('.queued').count()).toBe(1)
    await expect.poll(() => page.inputValue('textarea')).toBe('')
    await page.context().setOffline(false)
    goesOn.resolve()
    await answered(page, 2)
    await expect
      .poll(() => page.locator('.messages .bubble, .messages .md').allTextContents())
      .toEqual(['Hello', `${half}And this is the rest.`, 'Go on', 'Went on.'])
  })

  it('says that it is out of date once its code is gone, and is loaded anew with what was said', async () => {
    const page = await visit()
    await ask(page, 'Hello')
    await sourcesShown(page)
    server.script = asksWhy
    const reload = page.getByRole('button', { name: 'Reload for the new version' })
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }))
    // The same deployment, whose files did not come for a moment, is no reason to load it anew.
    const looked = page.waitForResponse((response) => response.url() === page.url())
    await ask(page, 'I want to return it')
    await (await looked).finished()
    await expect.poll(() => reload.count()).toBe(0)
    await page.route('**/a/acme/front-desk', async (route) => {
      const response = await route.fetch()
      const html = await response.text()
      await route.fulfill({ response, body: html.replaceAll('/assets/', '/assets/later-') })
    })
    await ask(page, 'Once more')
    await reload.waitFor()
    await takePicture(page, 'chat-outdated')
    await page.unrouteAll({ behavior: 'wait' })
    await reload.click()
    await page.locator('form.card').last().waitFor()
    await expect
      .poll(() => page.locator('.bubble').allTextContents())
      .toEqual(['Hello', 'I want to return it', 'Once more'])
  })

  it('is loaded anew, with what was said, where the browser keeps that its code did not come', async () => {
    const page = await visit()
    await ask(page, 'Hello')
    await sourcesShown(page)
    server.script = asksWhy
    // As in Firefox once the network failed: the file is there, and is not asked for again.
    await page.route('**/assets/**', (route) =>
      route.request().resourceType() === 'script' ? route.abort() : route.fallback(),
    )
    await ask(page, 'I want to return it')
    const reload = page.getByRole('button', { name: 'Reload for the new version' })
    await reload.waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await reload.click()
    await page.locator('form.card').last().waitFor()
    await expect
      .poll(() => page.locator('.bubble').allTextContents())
      .toEqual(['Hello', 'I want to return it'])
  })

  it('shows that the browser is offline and keeps the draft over a reload', async () => {
    const page = await visit()
    await page.fill('.composer textarea', 'unsent words')
    await page.context().setOffline(true)
    await page.getByText('You are offline. Your text is kept.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('You are offline. Your text is kept.').waitFor({ state: 'hidden' })
    await page.reload()
    await expect.poll(() => page.inputValue('textarea')).toBe('unsent words')
  })

  it.each([
    [429, { detail: 'Monthly token quota exceeded' }, 'reached its limit for this month', false],
    [429, { detail: 'Too many requests' }, 'Too many messages at once', true],
    [500, { detail: 'Internal Server Error' }, 'req-7f3a', true],
    [404, { detail: 'Agent not found' }, 'not available at the moment', false],
    [409, { detail: 'Request in progress' }, 'still being written', true],
    [422, { detail: [{ msg: 'Too long' }] }, 'Too long', true],
  ])('explains a refusal with %i', async (status, body, words, retry) => {
    const page = await visit()
    server.script = () => ({ status, body, headers: { 'Retry-After': '1' } })
    await say(page, 'Hello')
    await page.locator('.problem', { hasText: words }).waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: 'Try again' }).count())
      .toBe(retry ? 1 : 0)
    await expect.poll(() => page.getByRole('alert').textContent()).not.toBe('')
    if (!retry) return
    server.script = () => reply('Works.')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.md', { hasText: 'Works.' }).waitFor()
    await expect.poll(() => page.locator('.problem').count()).toBe(0)
  })

  it('in two tabs of one chat, each shows what was said in the other, pictures too', async () => {
    const page = await visit()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add images' }).click(),
    ])
    const buffer = Buffer.from(PIXEL_BASE64, 'base64')
    await chooser.setFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    await page.getByRole('img', { name: 'a.png' }).waitFor()
    await ask(page, 'One')
    const other = await page.context().newPage()
    await other.goto(page.url())
    const said = (tab: Page) => tab.locator('.bubble').allTextContents()
    await expect.poll(() => said(other)).toEqual(['One'])
    server.script = () => reply('Two it is.')
    await ask(other, 'Two')
    await expect.poll(() => said(page)).toEqual(['One', 'Two'])
    await page.locator('.md', { hasText: 'Two it is.' }).waitFor()
    await expect.poll(() => page.locator('.own-images img').count()).toBe(1)
    await ask(page, 'Three')
    await expect.poll(() => said(other)).toEqual(['One', 'Two', 'Three'])
    const sessions = server.to('/v1/chat/stream').map(({ body }) => (body as ChatBody).session_id)
    expect(new Set(sessions.slice(1)).size).toBe(1)
    // A new chat of one leaves the other where it is.
    await page.getByRole('button', { name: 'New chat' }).click()
    await expect.poll(() => said(page)).toEqual([])
    await ask(page, 'Elsewhere')
    await expect.poll(() => said(other)).toEqual(['One', 'Two', 'Three'])
  })

  it('keeps the text of an answer that failed in the middle', async () => {
    const page = await visit()
    server.script = () => [
      { event: 'token', data: { text: 'Half an answer' } },
      { event: 'error', data: { code: 'upstream', detail: 'Upstream error', retryable: true } },
    ]
    await say(page, 'Hello')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await expect.poll(() => lastReply(page).locator('.md').textContent()).toBe('Half an answer')
    // By its message the operator finds the turn in the log.
    await expect
      .poll(() => lastReply(page).locator('.problem code').textContent())
      .toBe('message-2')
  })

  it('starts a new chat, which can be undone until something is sent', async () => {
    const page = await visit()
    await say(page, 'One')
    await answered(page)
    await page.getByRole('button', { name: 'New chat' }).click()
    await expect.poll(() => page.locator('.bubble').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.locator('.bubble').count()).toBe(1)
    await page.getByRole('button', { name: 'New chat' }).click()
    await say(page, 'Two')
    await answered(page)
    expect(server.to('/v1/chat/stream').at(-1)?.body).not.toHaveProperty('session_id')
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  it.each([
    ['script', /<script type="module"[^>]* src="([^"]+)"/],
    ['language', /href="([^"]+\/locale-en-[^"]+)"/],
  ])('says so when its %s does not come', async (_, address) => {
    await visit()
    const home = `${server.origin}/a/acme/front-desk`
    const file = address.exec(await (await fetch(home)).text())?.[1] ?? ''
    expect(file).toMatch(/^\/assets\/[\w-]+\.js(on)?$/)
    const watched = await openPage(browser, server.origin)
    watchedPages.push(watched)
    await watched.page.route(server.origin + file, (route) => route.abort())
    await watched.page.goto(home)
    await watched.page.getByText('The chat could not be loaded.').waitFor()
    await expect
      .poll(() => watched.page.getByRole('heading', { name: 'Front desk' }).count())
      .toBe(1)
  })

  it('an agent that is away for a while comes back to the same conversation', async () => {
    const page = await visit()
    await ask(page, 'One')
    server.script = () => ({ status: 404, body: { detail: 'Agent not found' } })
    await say(page, 'Two')
    await page.locator('.problem', { hasText: 'not available at the moment' }).waitFor()
    await expect.poll(() => page.locator('.note').count()).toBe(0)
    server.script = () => reply('Back.')
    await say(page, 'Three')
    await page.locator('.md', { hasText: 'Back.' }).waitFor()
    const [first, , , last] = server.to('/v1/chat/stream').map(({ body }) => body as ChatBody)
    expect(first?.session_id).toBe(undefined)
    expect(last).toMatchObject({ message: 'Three', session_id: expect.any(String) })
  })

  it('counts a long wait in minutes', async () => {
    const page = await visit()
    server.script = () => ({
      status: 429,
      body: { detail: 'Too many requests' },
      headers: { 'Retry-After': '3000' },
    })
    await say(page, 'Hello')
    await page.locator('.problem', { hasText: 'Try again in 50 minutes.' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).isDisabled()).toBe(true)
  })

  it('answers an unknown address with the neutral page', async () => {
    await visit()
    const watched = await openPage(browser, server.origin)
    watchedPages.push(watched)
    const response = await watched.page.goto(`${server.origin}/a/acme/nobody`)
    expect(response?.status()).toBe(404)
    await expect.poll(() => watched.page.getByRole('heading').textContent()).toBe('Page not found')
  })
})

describe('hostile replies', () => {
  for (const [name, text] of Object.entries(HOSTILE_REPLIES)) {
    it(`${name}: nothing runs, nothing is loaded`, async () => {
      const page = await visit('/a/acme/front-desk', { viewport: { width: 320, height: 700 } })
      const title = await page.title()
      for (const size of [7, 100_000]) {
        server.script = () => reply(text, { size })
        await say(page, 'go')
        await answered(page, size === 7 ? 1 : 2)
      }
      const found = () =>
        page.evaluate(() => ({
          elements: [
            ...new Set([...document.querySelectorAll('.md *')].map((e) => e.localName)),
          ].filter((tag) =>
            /^(script|img|svg|iframe|style|object|embed|form|link|meta)$/.test(tag),
          ),
          links: [...document.querySelectorAll<HTMLAnchorElement>('.md a')]
            .map((a) => a.href)
            .filter((href) => !/^(https?|mailto):/.test(href) || href.includes('@evil')),
          handlers: [...document.querySelectorAll('.md *')].filter((e) =>
            [...e.attributes].some((a) => a.name.startsWith('on')),
          ).length,
          isWide: document.documentElement.scrollWidth > innerWidth,
          overrides: /[\u202D\u202E]/.test(document.querySelector('.log')?.textContent ?? ''),
        }))
      await expect
        .poll(found)
        .toEqual({ elements: [], links: [], handlers: 0, isWide: false, overrides: false })
      // The same words whether they came in pieces or at once, and none lost.
      const texts = () => page.locator('.reply .md').allTextContents()
      await expect.poll(async () => new Set(await texts()).size).toBe(1)
      const words = text.match(/[a-z]{4,}/gi) ?? []
      if (/^(a line|an unclosed|open)/.test(name)) {
        const lost = async () => {
          const [shown = ''] = await texts()
          return words.filter((word) => !shown.includes(word))
        }
        expect(words).not.toEqual([])
        await expect.poll(lost).toEqual([])
      }
      await expect.poll(() => page.title()).toBe(title)
      await say(page, 'still alive?')
      await answered(page, 3)
    })
  }
})

it('streams 40,000 characters and draws what is said once, not all of it anew with every frame', async () => {
  const page = await visit()
  await page.evaluate(() => {
    const work = { drawn: 0 }
    Object.assign(globalThis, { work })
    const size = (node: Node): number =>
      [...node.childNodes].reduce((total, child) => total + size(child), 1)
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) work.drawn += size(node)
    }).observe(document.querySelector('.log') ?? document, { childList: true, subtree: true })
  })
  const paragraph = 'Words of a **long** answer with a mark [1] and some `code` in it. '
  const text = `${paragraph.repeat(5)}\n\n`.repeat(120)
  server.script = () => reply(text, { sources: RICH_SOURCES.slice(0, 1), size: 40, wait: 1 })
  await say(page, 'Write')
  await answered(page)
  await expect.poll(() => page.locator('.md button.cite').count()).toBe(600)
  const drawnPerNode = () =>
    page.evaluate(() => {
      const { work } = globalThis as unknown as { work: { drawn: number } }
      const walker = document.createTreeWalker(
        [...document.querySelectorAll('.md')].at(-1) ?? document,
      )
      let nodes = 0
      while (walker.nextNode()) nodes++
      return work.drawn / nodes
    })
  await expect.poll(drawnPerNode).toBeLessThan(5)
})
