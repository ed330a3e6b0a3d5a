import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { noMatchReply, RICH_TEXT, richReply } from '../support/chat-samples'
import { ChatServer, reply } from '../support/chat-server'
import { RICH_SOURCES } from '../support/chat-sources'
import { HOSTILE_REPLIES } from '../support/hostile-replies'
import { launchBrowser, openPage, type WatchedPage } from './browser'

let browser: Browser
let server: ChatServer
const open: WatchedPage[] = []

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

afterEach(async () => {
  for (const { page, faults, strangers } of open.splice(0)) {
    await page.context().close()
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  }
  await server.stop()
})

/** A fresh server and a fresh visitor; every page must end without a fault or a foreign request. */
async function visit(path = '/a/acme/front-desk', options: BrowserContextOptions = {}) {
  server = new ChatServer()
  server.script = () => richReply()
  await server.start()
  return revisit(path, options)
}

async function revisit(path = '/a/acme/front-desk', options: BrowserContextOptions = {}) {
  const watched = await openPage(browser, server.origin, options)
  open.push(watched)
  await watched.page.goto(server.origin + path)
  await watched.page.waitForSelector('textarea')
  return watched.page
}

async function ask(page: Page, words: string): Promise<void> {
  await page.fill('.composer textarea', words)
  await page.press('.composer textarea', 'Enter')
}

const lastReply = (page: Page) => page.locator('.reply').last()

async function answered(page: Page, count = 1): Promise<void> {
  await page.waitForFunction(
    (n) =>
      document.querySelectorAll('.reply').length >= n &&
      document.querySelector('button.send')?.getAttribute('type') === 'submit',
    count,
  )
}

describe('asking', () => {
  it('streams a cited answer, with its sources listed by first use', async () => {
    const page = await visit()
    server.script = () => reply(RICH_TEXT, { sources: RICH_SOURCES, wait: 12 })
    expect(server.to('/auth/anonymous')).toHaveLength(0)
    await ask(page, 'How do I return an item?')
    await page.waitForSelector('.reply .md strong')
    expect(await page.locator('.sources').count()).toBe(0)
    await answered(page)

    const text = lastReply(page).locator('.md')
    expect(await text.locator('p').first().textContent()).toBe(
      'You can return most items within 30 days of delivery 1. Opened software is excluded 2.',
    )
    expect(await text.locator('h3').textContent()).toBe('How to return an item')
    const cells = await text.locator('td').allTextContents()
    expect(cells.map((cell) => cell.trim())).toEqual([
      'Tools',
      '30 days',
      'none',
      'Batteries',
      '14 days',
      '$4.90',
    ])
    expect(await text.locator('pre').textContent()).toContain('order_id=1042')
    await page.locator('.source').first().waitFor()
    expect(await page.locator('.source .source-words').allTextContents()).toEqual([
      'Returns and exchanges',
      'Terms of salepage 12',
      'Payment and refunds handbook for shops, counters and the online storepage 4',
    ])
    for (const link of await lastReply(page).locator('a').all()) {
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
      expect(await link.getAttribute('target')).toBe('_blank')
    }
    const mark = text.locator('button.cite').first()
    expect(await mark.getAttribute('aria-label')).toBe('Source 1: Returns and exchanges')
    await mark.click()
    expect(await page.locator('.source.is-open blockquote').textContent()).toContain('30 days')

    expect(server.to('/auth/anonymous').map((r) => r.body)).toEqual([
      { tenant_id: 'tenant-1', agent: 'Front desk' },
    ])
    await ask(page, 'Thanks')
    await answered(page, 2)
    expect(server.to('/auth/anonymous')).toHaveLength(1)
    const [first, second] = server.to('/v1/chat/stream')
    expect(first?.headers.authorization).toBe('Bearer visitor-1')
    expect(first?.headers['accept-language']).toBe('en')
    expect(first?.body).toEqual({ message: 'How do I return an item?', agent: 'Front desk' })
    expect(second?.body).toMatchObject({ message: 'Thanks', session_id: 'session-2' })
    expect(first?.headers['idempotency-key']).not.toBe(second?.headers['idempotency-key'])
  })

  it('opens a source beside the conversation where there is room, and gives the focus back', async () => {
    const page = await visit('/a/acme/front-desk', { viewport: { width: 1280, height: 800 } })
    await ask(page, 'Question')
    await answered(page)
    const mark = page.locator('button.cite').nth(1)
    await mark.scrollIntoViewIfNeeded()
    const before = await mark.boundingBox()
    await mark.click()
    const shown = page.locator('.panel .source.is-open')
    expect(await shown.locator('.source-words').textContent()).toBe('Terms of salepage 12')
    await shown.locator('mark', { hasText: 'Software whose seal' }).waitFor()
    expect((await mark.boundingBox())?.y).toBe(before?.y)
    await page.keyboard.press('Escape')
    expect(await page.locator('.panel').count()).toBe(0)
    expect(await mark.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('shows a source in its context, with its quote marked, and saves the original where it may (#10.7)', async () => {
    const page = await visit()
    await ask(page, 'Question')
    await answered(page)
    await page.locator('button.cite', { hasText: '2' }).first().click()
    const place = page.locator('.source.is-open .place')
    await place.locator('mark').waitFor()
    expect(await place.locator('mark').textContent()).toBe(
      'Quoted: Software whose seal has been broken cannot be returned. End of the quote.',
    )
    expect(await place.locator('.place-where').textContent()).toBe(
      'What holds in every shoppage 12',
    )
    expect(await place.locator('.neighbour p').allTextContents()).toEqual([
      'Words of the page before.',
      'Words after.',
    ])
    expect(await place.locator('.neighbour p').first().isVisible()).toBe(false)
    await place.getByText('The text before').click()
    expect(await place.locator('.neighbour p').first().isVisible()).toBe(true)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      place.getByRole('button', { name: 'Download the document' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('terms of sale.pdf')
    const asked = server.requests.find(({ path }) => path.endsWith('/sources/1'))
    expect(asked?.headers.authorization).toBe('Bearer visitor-1')
    await page.locator('.source button.source-name').first().click()
    await page.locator('.source.is-open mark').first().waitFor()
    expect(await page.getByRole('button', { name: 'Download the document' }).count()).toBe(0)
  })

  it('lists one entry a document with its places, and marks what a sentence rests on (#10.7)', async () => {
    const page = await visit()
    const text = 'Seals must be whole [1]. A label is **needed** [2]. Bring the receipt [1].'
    const place = (quote: string, sentence: string) => ({
      quote,
      start: 0,
      end: quote.length,
      sentences: [{ start: text.indexOf(sentence), end: text.indexOf(sentence) + sentence.length }],
    })
    const source = { document_id: 'doc-1', title: 'Terms of sale', distance: 0.1 }
    const quotes = [
      [
        place('Whole seals.', 'Seals must be whole [1]'),
        place('A receipt.', 'Bring the receipt [1]'),
      ],
      [place('A label.', 'A label is **needed** [2]')],
    ]
    server.script = () =>
      reply(text, {
        sources: quotes.map((places, i) => ({
          ...source,
          n: i + 1,
          quote: places[0]?.quote,
          quotes: places,
        })),
      })
    server.context = (n) => ({
      status: 200,
      body: {
        heading: null,
        page: null,
        text: n === 1 ? 'Whole seals. A receipt.' : 'A label.',
        quotes:
          n === 1
            ? [
                { start: 0, end: 12 },
                { start: 13, end: 23 },
              ]
            : [{ start: 0, end: 8 }],
        previous: null,
        next: null,
        downloadable: false,
      },
    })
    await ask(page, 'Question')
    await answered(page)
    await page.locator('.source').waitFor()
    expect(await page.locator('.sources-title').textContent()).toBe('1 source')
    expect(await page.locator('.source-row .source-mark').allTextContents()).toEqual(['1', '2'])
    await page.locator('.source button').click()
    await page.locator('.place mark').nth(2).waitFor()
    const lit = () =>
      page.evaluate(() => ({
        proofs: [...document.querySelectorAll('[data-lit]')].map((e) => e.textContent?.trim()),
        sentence: [...(CSS.highlights.get('proven-sentence') ?? [])].map(String),
      }))
    expect(await lit()).toEqual({ proofs: [], sentence: [] })
    await page.locator('.md strong').hover()
    const label = {
      proofs: ['2', 'Quoted: A label. End of the quote.'],
      sentence: ['A label is needed'],
    }
    expect(await lit()).toEqual(label)
    await page.locator('.composer textarea').hover()
    expect(await lit()).toEqual({ proofs: [], sentence: [] })
    await page.locator('button.cite').nth(2).focus()
    expect(await lit()).toEqual({
      proofs: ['1', 'Quoted: A receipt. End of the quote.'],
      sentence: ['Bring the receipt'],
    })
    await page.locator('button.cite').nth(1).focus()
    expect(await lit()).toEqual(label)
    await page.locator('.composer textarea').focus()
    expect(await lit()).toEqual({ proofs: [], sentence: [] })
  })

  it('says that a document changed since, and keeps what was quoted', async () => {
    const page = await visit()
    server.script = () => reply('One [1].', { sources: RICH_SOURCES.slice(0, 1) })
    server.context = () => ({ status: 410, body: { detail: 'Gone', code: 'source_gone' } })
    await ask(page, 'Question')
    await answered(page)
    await page.locator('.source button').click()
    await page.getByText('The document was changed or deleted since this answer.').waitFor()
    expect(await page.locator('.place blockquote').textContent()).toBe(RICH_SOURCES[0]?.quote)
    open[0]?.faults.splice(0)
  })

  it('offers a way on where nothing was found: other words, the closest documents, a person (#10.7)', async () => {
    const page = await visit()
    server.script = () => noMatchReply()
    await ask(page, 'Where is the moon?')
    await answered(page)
    const ways = page.locator('.no-match')
    await ways.waitFor()
    expect(await ways.textContent()).toContain('Try other words')
    expect(await ways.locator('.chip').allTextContents()).toEqual([
      'How do I return an item?Returns and exchanges',
      'Payment and refunds handbook',
    ])
    expect(await ways.getByText('Talk to a person').count()).toBe(0)
    server.script = () => reply('So.')
    await ways.locator('.chip').first().click()
    await answered(page, 2)
    expect(server.to('/v1/chat/stream').at(-1)?.body).toMatchObject({
      message: 'How do I return an item?',
    })
    expect(await page.locator('.no-match button').count()).toBe(0)
  })

  it('says that sources are linked where they are, and offers a person where there is one (#10.7)', async () => {
    const page = await visit()
    expect(await page.locator('.disclaimer').textContent()).toBe(
      'Answers can be wrong. Sources are linked.',
    )
    const features = { feedback: true, history: false, signIn: true }
    server.page = { features: { ...features, sources: false, handOff: true } }
    const other = await revisit()
    expect(await other.locator('.disclaimer').textContent()).toBe('Answers can be wrong.')
    server.script = () => noMatchReply()
    await ask(other, 'Where is the moon?')
    await answered(other)
    server.script = () => reply('Somebody comes.')
    await other.getByRole('button', { name: 'Talk to a person' }).click()
    await answered(other, 2)
    expect(server.to('/v1/chat/stream').at(-1)?.body).toMatchObject({
      message: 'I would like to talk to a person.',
    })
  })

  it('says quietly when sources are private, absent or the answer was cut', async () => {
    const page = await visit()
    const hidden = [
      { document_id: 'a', distance: 0.1 },
      { document_id: 'b', distance: 0.2 },
    ]
    server.script = () => reply('One [3] and two [8].', { sources: hidden })
    await ask(page, 'a')
    await answered(page)
    expect(await lastReply(page).locator('.md').textContent()).toBe('One 1 and two 2.')
    expect(await lastReply(page).locator('button.cite').count()).toBe(0)
    expect(await lastReply(page).locator('.quiet').textContent()).toBe(
      'Based on 2 documents of this assistant.',
    )
    server.script = () => reply('I do not know [4].', { done: { finish_reason: 'no_match' } })
    await ask(page, 'b')
    await answered(page, 2)
    expect(await lastReply(page).locator('.md').textContent()).toBe('I do not know [4].')
    expect(await lastReply(page).locator('.quiet').textContent()).toBe(
      'No source was found for this question.',
    )
    server.script = () => reply('Long', { done: { finish_reason: 'length' } })
    await ask(page, 'c')
    await answered(page, 3)
    expect(await lastReply(page).locator('.quiet').textContent()).toContain('length limit')
  })

  it('shows what a guard put in place of the text', async () => {
    const page = await visit()
    server.script = () => [
      { event: 'token', data: { text: 'The password is' } },
      { event: 'replace', data: { text: 'I cannot help with that.' }, wait: 50 },
      { event: 'done', data: { finish_reason: 'guard', sources: [] } },
    ]
    await ask(page, 'a')
    await answered(page)
    expect(await lastReply(page).locator('.md').textContent()).toBe('I cannot help with that.')
  })

  it('offers menu, suggestions, options and a form, each sent as a message', async () => {
    const page = await visit()
    await page.getByRole('button', { name: 'Warranty' }).click()
    await answered(page)
    expect(server.to('/v1/chat/stream').at(-1)?.body).toMatchObject({
      message: 'How long is the warranty?',
    })
    server.script = () => [
      { event: 'status', data: { stage: 'retrieve' } },
      { event: 'tool', data: { id: 't', name: 'weather', state: 'running' } },
      { event: 'tool', data: { id: 't', name: 'weather', state: 'done' } },
      { event: 'reasoning', data: { text: 'Two readings.' } },
      { event: 'clarify', data: { question: 'Which one?', options: ['Drill', 'Saw'] } },
      { event: 'surprise', data: { text: 'ignored' } },
      { event: 'done', data: { reply: 'Which one?', finish_reason: 'clarify' } },
    ]
    await page.getByRole('button', { name: 'Can I exchange instead?' }).click()
    await page.getByRole('button', { name: 'Saw' }).waitFor()
    expect(await page.getByRole('button', { name: 'Can I exchange instead?' }).count()).toBe(0)
    expect(await lastReply(page).locator('details').getAttribute('open')).toBeNull()
    expect(await lastReply(page).textContent()).toContain('Used weather')
    server.script = () => [
      {
        event: 'form',
        data: {
          title: 'Your return',
          fields: [
            { name: 'email', label: 'E-mail', type: 'email', required: true },
            { name: 'reason', label: 'Reason', type: 'select', options: ['Broken', 'Wrong'] },
            { name: 'news', label: 'Newsletter', type: 'boolean' },
          ],
        },
      },
      { event: 'done', data: { reply: 'Please fill in:', finish_reason: 'form' } },
    ]
    await page.getByRole('button', { name: 'Saw' }).click()
    const form = page.locator('form.card')
    await form.getByRole('button', { name: 'Send' }).click()
    expect(await form.locator('.field-error').textContent()).toBe('Please fill in this field.')
    await form.getByLabel('E-mail').fill('nobody')
    await form.getByRole('button', { name: 'Send' }).click()
    expect(await form.locator('.field-error').textContent()).toContain('valid e-mail')
    await form.getByLabel('E-mail').fill('a@b.example')
    await form.getByLabel('Reason').selectOption('Wrong')
    server.script = () => reply('Done.')
    await form.getByRole('button', { name: 'Send' }).click()
    await answered(page, 4)
    expect(server.to('/v1/chat/stream').at(-1)?.body).toMatchObject({
      message: 'E-mail: a@b.example\nReason: Wrong\nNewsletter: No',
    })
    expect(await form.getByLabel('E-mail').isDisabled()).toBe(true)
    expect(await form.getByLabel('E-mail').inputValue()).toBe('a@b.example')
  })

  it('sends thumbs, and a comment after thumbs down', async () => {
    const page = await visit()
    await ask(page, 'a')
    await answered(page)
    await page.getByRole('button', { name: 'Poor answer' }).click()
    await page.getByLabel('What was wrong?').fill('Too long')
    await page.getByRole('button', { name: 'Send feedback' }).click()
    await page.getByText('Thank you for your feedback.').waitFor()
    const sent = server.requests.filter((r) => r.path.endsWith('/feedback'))
    expect(sent.map((r) => r.body)).toEqual([
      { value: 'down' },
      { value: 'down', comment: 'Too long' },
    ])
    expect(
      await page.getByRole('button', { name: 'Poor answer' }).getAttribute('aria-pressed'),
    ).toBe('true')
  })
})

describe('hostile replies', () => {
  for (const [name, text] of Object.entries(HOSTILE_REPLIES)) {
    it(`${name}: nothing runs, nothing is loaded`, async () => {
      const page = await visit('/a/acme/front-desk', { viewport: { width: 320, height: 700 } })
      const title = await page.title()
      for (const size of [7, 100_000]) {
        server.script = () => reply(text, { size })
        await ask(page, 'go')
        await answered(page, size === 7 ? 1 : 2)
      }
      const found = await page.evaluate(() => ({
        elements: [
          ...new Set([...document.querySelectorAll('.md *')].map((e) => e.localName)),
        ].filter((tag) => /^(script|img|svg|iframe|style|object|embed|form|link|meta)$/.test(tag)),
        links: [...document.querySelectorAll<HTMLAnchorElement>('.md a')].map((a) => a.href),
        handlers: [...document.querySelectorAll('.md *')].filter((e) =>
          [...e.attributes].some((a) => a.name.startsWith('on')),
        ).length,
        overflow: document.documentElement.scrollWidth - innerWidth,
        overrides: /[\u202D\u202E]/.test(document.querySelector('.log')?.textContent ?? ''),
        texts: [...document.querySelectorAll('.reply .md')].map((e) => e.textContent ?? ''),
      }))
      expect(found.elements).toEqual([])
      expect(found.handlers).toBe(0)
      expect(found.links.filter((href) => !/^(https?|mailto):/.test(href))).toEqual([])
      expect(found.links.filter((href) => href.includes('@evil'))).toEqual([])
      expect(found.overflow).toBeLessThanOrEqual(0)
      expect(found.overrides).toBe(false)
      // The same words whether they came in pieces or at once, and none lost.
      expect(found.texts[0]).toBe(found.texts[1])
      const words = text.match(/[a-z]{4,}/gi) ?? []
      if (/^(a line|an unclosed|open)/.test(name)) {
        for (const word of words) expect(found.texts[0]).toContain(word)
      }
      expect(await page.title()).toBe(title)
      await ask(page, 'still alive?')
      await answered(page, 3)
    })
  }
})

describe('a turn that does not go straight', () => {
  it('stops on request, keeps what was written and goes on', async () => {
    const page = await visit()
    server.script = () => reply('one two three four five six seven eight nine ten', { wait: 150 })
    await ask(page, 'Count')
    await page.getByText('one two').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.locator('.quiet', { hasText: 'Stopped before the end.' }).waitFor()
    expect(server.to('/v1/chat/stop').map((r) => r.body)).toEqual([{ session_id: 'session-2' }])
    const kept = await lastReply(page).locator('.md').textContent()
    expect(kept).toMatch(/^one two/)
    expect(kept).not.toContain('ten')
    server.script = () => reply('Fine.')
    await ask(page, 'Again')
    await answered(page, 2)
    expect(await lastReply(page).locator('.md').textContent()).toBe('Fine.')
  })

  it('resumes after a lost connection without a gap or a repeat', async () => {
    const page = await visit()
    const text = Array.from({ length: 60 }, (_, i) => `w${i}`).join(' ')
    const frames = reply(text, { size: 9, wait: 15 })
    server.script = () =>
      frames.map((f, i) => ({ ...f, cut: i === 3 || i === 4 || i === 15, wait: 15 }))
    await ask(page, 'Count')
    await page.getByText('Connection lost. Reconnecting.').waitFor()
    await answered(page)
    expect(await lastReply(page).locator('.md').textContent()).toBe(text)
    const resumed = server.requests.filter((r) => /^\/v1\/chat\/stream\/message-/.test(r.path))
    expect(resumed.map((r) => r.headers['last-event-id'])).toEqual(['5', '6', '17'])
    expect(server.to('/v1/chat/stream')).toHaveLength(1)
    expect(await page.locator('.banner').count()).toBe(0)
  })

  it('takes up a running answer after a reload, and keeps the conversation', async () => {
    const page = await visit()
    const text = Array.from({ length: 30 }, (_, i) => `w${i}`).join(' ')
    server.script = () => reply(text, { size: 4, wait: 40 })
    await ask(page, 'Count')
    await page.getByText('w5').waitFor()
    await page.reload()
    await answered(page)
    expect(await page.locator('.bubble').allTextContents()).toEqual(['Count'])
    expect(await lastReply(page).locator('.md').textContent()).toBe(text)
    await page.reload()
    expect(await lastReply(page).locator('.md').textContent()).toBe(text)
    await ask(page, 'More')
    await answered(page, 2)
    expect(server.to('/v1/chat/stream').at(-1)?.body).toMatchObject({ session_id: 'session-2' })
    expect(server.to('/auth/anonymous')).toHaveLength(1)
  })

  it('renews an expired visit once, silently, and says that the memory is gone', async () => {
    const page = await visit()
    await ask(page, 'One')
    await answered(page)
    server.revoked.add('visitor-1')
    server.script = () => reply('Two.')
    await ask(page, 'Two')
    await answered(page, 2)
    expect(await lastReply(page).locator('.md').textContent()).toBe('Two.')
    expect(await page.locator('.note').count()).toBe(1)
    const tries = server.to('/v1/chat/stream')
    expect(tries).toHaveLength(3)
    expect(tries[2]?.headers.authorization).not.toBe('Bearer visitor-1')
    expect(tries[2]?.body).toEqual({ message: 'Two', agent: 'Front desk' })
  })

  it('offers another try when the network is away, with the same idempotency key', async () => {
    const page = await visit()
    server.down = true
    await ask(page, 'Hello')
    await page.locator('.problem', { hasText: 'The connection was lost' }).waitFor()
    server.down = false
    server.script = () => reply('Back.')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.md', { hasText: 'Back.' }).waitFor()
    expect(await page.locator('.bubble').count()).toBe(1)
    expect(await page.locator('.reply').count()).toBe(1)
    server.down = true
    await ask(page, 'Again')
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

  it('shows that the browser is offline and keeps the draft over a reload', async () => {
    const page = await visit()
    await page.fill('.composer textarea', 'unsent words')
    await page.context().setOffline(true)
    await page.getByText('You are offline. Your text is kept.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('You are offline. Your text is kept.').waitFor({ state: 'hidden' })
    await page.reload()
    expect(await page.inputValue('textarea')).toBe('unsent words')
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
    await ask(page, 'Hello')
    await page.locator('.problem', { hasText: words }).waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(retry ? 1 : 0)
    expect(await page.getByRole('alert').textContent()).not.toBe('')
    if (!retry) return
    server.script = () => reply('Works.')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.md', { hasText: 'Works.' }).waitFor()
    expect(await page.locator('.problem').count()).toBe(0)
  })

  it('keeps the text of an answer that failed in the middle', async () => {
    const page = await visit()
    server.script = () => [
      { event: 'token', data: { text: 'Half an answer' } },
      { event: 'error', data: { code: 'upstream', detail: 'Upstream error', retryable: true } },
    ]
    await ask(page, 'Hello')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await lastReply(page).locator('.md').textContent()).toBe('Half an answer')
  })

  it('starts a new chat, which can be undone until something is sent', async () => {
    const page = await visit()
    await ask(page, 'One')
    await answered(page)
    await page.getByRole('button', { name: 'New chat' }).click()
    expect(await page.locator('.bubble').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await page.locator('.bubble').count()).toBe(1)
    await page.getByRole('button', { name: 'New chat' }).click()
    await ask(page, 'Two')
    await answered(page)
    expect(server.to('/v1/chat/stream').at(-1)?.body).not.toHaveProperty('session_id')
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  it.each(['chat-', 'locale-en'])('says so when its %s file does not come', async (part) => {
    await visit()
    const watched = await openPage(browser, server.origin)
    open.push(watched)
    await watched.page.route(`**/assets/${part}*`, (route) =>
      route.request().url().endsWith('.css') ? route.continue() : route.abort(),
    )
    await watched.page.goto(`${server.origin}/a/acme/front-desk`)
    await watched.page.getByText('The chat could not be loaded.').waitFor()
    expect(await watched.page.getByRole('heading', { name: 'Front desk' }).count()).toBe(1)
  })

  it('counts a long wait in minutes', async () => {
    const page = await visit()
    server.script = () => ({
      status: 429,
      body: { detail: 'Too many requests' },
      headers: { 'Retry-After': '3000' },
    })
    await ask(page, 'Hello')
    await page.locator('.problem', { hasText: 'Try again in 50 minutes.' }).waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).isDisabled()).toBe(true)
  })

  it('answers an unknown address with the neutral page', async () => {
    await visit()
    const watched = await openPage(browser, server.origin)
    open.push(watched)
    const response = await watched.page.goto(`${server.origin}/a/acme/nobody`)
    expect(response?.status()).toBe(404)
    expect(await watched.page.getByRole('heading').textContent()).toBe('Page not found')
  })
})

describe('keyboard and screen reader', () => {
  it('asks and reads a source by keyboard alone', async () => {
    const page = await visit('/a/acme/front-desk', { viewport: { width: 800, height: 700 } })
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement
        const by = element?.getAttribute('aria-labelledby')
        const label = by ? document.getElementById(by) : null
        return (
          label?.textContent ?? element?.getAttribute('aria-label') ?? element?.textContent ?? ''
        )
      })
    const tabTo = async (name: string, key = 'Tab') => {
      for (let i = 0; i < 40; i++) {
        if ((await focused()) === name) return
        await page.keyboard.press(key)
      }
      throw new Error(`${name} cannot be reached, focus is on ${await focused()}`)
    }
    await tabTo('Message')
    await page.keyboard.type('Question')
    await page.keyboard.press('Enter')
    await answered(page)
    expect(await focused()).toBe('Message')
    await tabTo('Source 1: Returns and exchanges', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.source.is-open')
    expect(await focused()).toContain('Returns and exchanges')
    await page.keyboard.press('Enter')
    await page.locator('.source.is-open').waitFor({ state: 'detached' })
    await tabTo('Menu', 'Shift+Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('select')
    await page.keyboard.press('Escape')
    expect(await focused()).toBe('Menu')
    await tabTo('Conversation')
    const before = await page.locator('.log').evaluate((log) => log.scrollTop)
    await page.keyboard.press('PageDown')
    await page.waitForFunction(
      (top) => (document.querySelector('.log')?.scrollTop ?? 0) > top,
      before,
    )
  })

  it('announces the start and the finished answer, once each', async () => {
    const page = await visit()
    await page.evaluate(() => {
      const said: string[] = []
      Object.assign(globalThis, { said })
      const region = document.querySelector('[data-announcer]')
      if (!region) throw new Error('no status region')
      new MutationObserver(() => {
        if (region.textContent) said.push(region.textContent)
      }).observe(region, {
        characterData: true,
        childList: true,
        subtree: true,
      })
    })
    const said = () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said)
    server.script = () =>
      reply('Yes [1]. **Thirty** days.', { sources: RICH_SOURCES.slice(0, 1), size: 1, wait: 5 })
    await ask(page, 'Is it?')
    await answered(page)
    await page.waitForTimeout(200)
    expect(await said()).toEqual(['Answering', 'Yes. Thirty days.'])
    server.script = () => reply('word '.repeat(400))
    await ask(page, 'Long?')
    await answered(page, 2)
    await page.waitForTimeout(200)
    const all = await said()
    expect(all).toHaveLength(4)
    expect(all[3]?.length).toBeLessThan(560)
    expect(all[3]).toMatch(/… More in the conversation\.$/)
    expect(await page.getByRole('log').getAttribute('aria-live')).toBe('off')
  })

  it('names every message by author and time', async () => {
    const page = await visit()
    await ask(page, 'Hi')
    await answered(page)
    const names = await page
      .locator('.messages > li')
      .evaluateAll((items) =>
        items.map(
          (li) => document.getElementById(li.getAttribute('aria-labelledby') ?? '')?.textContent,
        ),
      )
    expect(names[0]).toMatch(/^You, \d/)
    expect(names[1]).toMatch(/^Front desk, \d/)
  })

  it('does not send while an input method composes, nor on Shift+Enter', async () => {
    const page = await visit()
    await page.focus('textarea')
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
    await page.evaluate(() => {
      document
        .querySelector('textarea')
        ?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }),
        )
    })
    await cdp.send('Input.insertText', { text: '日本' })
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('x')
    expect(await page.inputValue('textarea')).toBe('日本\nx')
    expect(server.to('/v1/chat/stream')).toHaveLength(0)
  })

  it('follows the end only while the reader is there', async () => {
    const page = await visit('/a/acme/front-desk', { viewport: { width: 600, height: 500 } })
    server.script = () => reply('line\n\n'.repeat(60), { size: 12, wait: 20 })
    await ask(page, 'Write')
    await page.waitForFunction(() => (document.querySelector('.log')?.scrollTop ?? 0) > 200)
    await page.locator('.log').evaluate((log) => {
      log.scrollTop = 0
    })
    await page.getByRole('button', { name: 'New reply' }).waitFor()
    expect(await page.locator('.log').evaluate((log) => log.scrollTop)).toBe(0)
    await page.getByRole('button', { name: 'New reply' }).click()
    await answered(page)
    const distance = await page
      .locator('.log')
      .evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight)
    expect(distance).toBeLessThan(2)
  })
})

it('streams 40,000 characters without holding the page up', async () => {
  const page = await visit()
  await page.evaluate(() => {
    const long: number[] = []
    Object.assign(globalThis, { long })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) long.push(entry.duration)
    }).observe({ type: 'longtask' })
  })
  const paragraph = 'Words of a **long** answer with a mark [1] and some `code` in it. '
  const text = `${paragraph.repeat(5)}\n\n`.repeat(120)
  server.script = () => reply(text, { sources: RICH_SOURCES.slice(0, 1), size: 40, wait: 1 })
  await ask(page, 'Write')
  await answered(page)
  expect(await page.locator('.md button.cite').count()).toBe(600)
  const long = await page.evaluate(() => (globalThis as unknown as { long: number[] }).long)
  // Two cores carry the browser, the server and other work: what must not happen is a stall that a reader notices.
  expect(Math.max(0, ...long)).toBeLessThan(500)
})

describe('pictures', () => {
  /** A PNG of this size, drawn in the page. */
  async function picture(page: Page, width: number, height: number): Promise<Buffer> {
    const base64 = await page.evaluate(
      async ([w, h]) => {
        const canvas = document.createElement('canvas')
        canvas.width = w ?? 1
        canvas.height = h ?? 1
        const context = canvas.getContext('2d')
        if (context) {
          context.fillStyle = '#0b6b5d'
          context.fillRect(0, 0, canvas.width, canvas.height)
        }
        return canvas.toDataURL('image/png').split(',')[1] ?? ''
      },
      [width, height],
    )
    return Buffer.from(base64, 'base64')
  }

  it('shrinks what is picked, shows it, sends it, and refuses other files', async () => {
    const page = await visit()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add images' }).click(),
    ])
    await chooser.setFiles([
      { name: 'wide.png', mimeType: 'image/png', buffer: await picture(page, 3200, 800) },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
      { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('hello') },
    ])
    await page.getByRole('img', { name: 'wide.png' }).waitFor()
    expect(await page.locator('.composer-note').textContent()).toContain('notes.txt')
    expect(await page.locator('.composer-note').textContent()).toContain('broken.png')
    await page.keyboard.type('What is this?')
    await page.keyboard.press('Enter')
    await answered(page)
    const body = server.to('/v1/chat/stream')[0]?.body as { images: string[] }
    expect(body.images).toHaveLength(1)
    const size = await page.evaluate(async (url) => {
      const image = new Image()
      const bytes = Uint8Array.from(atob(url.split(',')[1] ?? ''), (c) => c.charCodeAt(0))
      image.src = URL.createObjectURL(new Blob([bytes], { type: 'image/webp' }))
      await image.decode()
      return [image.naturalWidth, image.naturalHeight]
    }, body.images[0] ?? '')
    expect(body.images[0]).toMatch(/^data:image\/webp;base64,/)
    expect(size).toEqual([1600, 400])
    expect(await page.locator('.own img').getAttribute('alt')).toBe('wide.png')
    await page.reload()
    await page.locator('.own-image-name', { hasText: 'wide.png' }).waitFor()
  })

  it('takes pasted and dropped pictures, four at most, and lets them go again', async () => {
    const page = await visit()
    const bytes = (await picture(page, 40, 40)).toString('base64')
    const give = (how: 'paste' | 'drop', count: number) =>
      page.evaluate(
        ([base64, kind, n]) => {
          const data = new DataTransfer()
          for (let i = 0; i < Number(n); i++) {
            const raw = Uint8Array.from(atob(String(base64)), (c) => c.charCodeAt(0))
            data.items.add(new File([raw], `${kind}${i}.png`, { type: 'image/png' }))
          }
          const event =
            kind === 'paste'
              ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true })
              : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          document.querySelector('textarea')?.dispatchEvent(event)
        },
        [bytes, how, count] as const,
      )
    await give('paste', 2)
    await page.getByRole('img', { name: 'paste1.png' }).waitFor()
    await give('drop', 3)
    await page.getByText('4 images per message at most.').waitFor()
    expect(await page.locator('.attachments img').count()).toBe(4)
    await page.getByRole('button', { name: 'Remove paste0.png' }).click()
    expect(await page.locator('.attachments img').count()).toBe(3)
    await page.keyboard.press('Enter')
    await answered(page)
    const body = server.to('/v1/chat/stream')[0]?.body as { message: string; images: string[] }
    expect(body.images).toHaveLength(3)
    expect(body.message).toBe('')
  })
})

describe('language and theme', () => {
  it('changes the language in place and remembers it, but an address that names one wins', async () => {
    const page = await visit('/a/acme/front-desk', { locale: 'es-ES' })
    expect(await page.getAttribute('html', 'lang')).toBe('en')
    const loaded = () => server.requests.filter((r) => r.path.includes('/locale-')).length
    expect(loaded()).toBe(1)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByLabel('Language').selectOption('ar')
    await page.locator('html[dir="rtl"][lang="ar"]').waitFor()
    await page.getByRole('textbox', { name: 'الرسالة' }).waitFor()
    await page.reload()
    await page.getByRole('textbox', { name: 'الرسالة' }).waitFor()
    await page.goto(`${server.origin}/a/acme/front-desk?lang=ru`)
    await page.getByRole('textbox', { name: 'Сообщение' }).waitFor()
    await page.locator('html[dir="ltr"][lang="ru"]').waitFor()
  })

  it('has the chosen theme before anything is painted', async () => {
    const page = await visit()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByLabel('Dark').check()
    const dark = 'rgb(17, 22, 20)'
    const background = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    expect(await background()).toBe(dark)
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.body) return
        Object.assign(globalThis, { themeAtBody: document.documentElement.dataset.theme })
        observer.disconnect()
      }).observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    expect(
      await page.evaluate(() => (globalThis as unknown as { themeAtBody: string }).themeAtBody),
    ).toBe('dark')
    expect(await background()).toBe(dark)
  })

  it('wears the tenant’s accent', async () => {
    server = new ChatServer()
    server.page = {
      tenant: { id: 't', name: 'Acme', logoUrl: null, accent: '#7a1fa2' },
    }
    await server.start()
    const page = await revisit()
    const accent = await page
      .locator('.tile')
      .evaluate((tile) => getComputedStyle(tile).backgroundColor)
    expect(accent).toBe('rgb(122, 31, 162)')
  })
})
