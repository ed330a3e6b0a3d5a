import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/config/names'
import { noMatchReply, RICH_TEXT, richReply } from '../support/chat-samples'
import { type ChatBody, ChatServer, reply } from '../support/chat-server'
import { RICH_SOURCES } from '../support/chat-sources'
import { HOSTILE_REPLIES } from '../support/hostile-replies'
import { launchBrowser, openPage, type WatchedPage } from './browser'
import { answered, ask, openMenu, say, sourcesShown, watchReads } from './chat'

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

const lastReply = (page: Page) => page.locator('.reply').last()

describe('asking', () => {
  it('streams a cited answer, with its sources listed by first use', async () => {
    const page = await visit()
    const seen = Promise.withResolvers<void>()
    const holdAt = RICH_TEXT.indexOf('# How')
    server.script = () => reply(RICH_TEXT, { sources: RICH_SOURCES, holdAt, until: seen.promise })
    expect(server.to('/auth/anonymous')).toHaveLength(0)
    await say(page, 'How do I return an item?')
    await page.waitForSelector('.reply .md strong')
    await expect.poll(() => page.locator('.sources').count()).toBe(0)
    seen.resolve()
    await answered(page)

    const text = lastReply(page).locator('.md')
    await expect
      .poll(() => text.locator('p').first().textContent())
      .toBe(
        'You can return most items within 30 days of delivery 1. Opened software is excluded 2.',
      )
    await expect.poll(() => text.locator('h3').textContent()).toBe('How to return an item')
    const cells = async () =>
      (await text.locator('td').allTextContents()).map((cell) => cell.trim())
    await expect.poll(cells).toEqual(['Tools', '30 days', 'none', 'Batteries', '14 days', '$4.90'])
    await expect.poll(() => text.locator('pre').textContent()).toContain('order_id=1042')
    await page.locator('.source').first().waitFor()
    await expect
      .poll(() => page.locator('.source .source-words').allTextContents())
      .toEqual([
        'Returns and exchanges',
        'Terms of sale page 12',
        'Payment and refunds handbook for shops, counters and the online store page 4',
      ])
    for (const link of await lastReply(page).locator('a').all()) {
      await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
      await expect.poll(() => link.getAttribute('target')).toBe('_blank')
    }
    const mark = text.locator('button.cite').first()
    await expect.poll(() => mark.getAttribute('aria-label')).toBe('Source 1: Returns and exchanges')
    await mark.click()
    await expect
      .poll(() => page.locator('.source.is-open blockquote').textContent())
      .toContain('30 days')

    expect(server.to('/auth/anonymous').map((r) => r.body)).toEqual([
      { tenant_id: 'tenant-1', agent: 'Front desk' },
    ])
    await say(page, 'Thanks')
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
    await say(page, 'Question')
    await answered(page)
    await sourcesShown(page)
    const mark = page.locator('button.cite').nth(1)
    await mark.scrollIntoViewIfNeeded()
    const before = await mark.boundingBox()
    await mark.click()
    const shown = page.locator('.panel .source.is-open')
    await expect
      .poll(() => shown.locator('.source-words').textContent())
      .toBe('Terms of sale page 12')
    await shown.locator('mark', { hasText: 'Software whose seal' }).waitFor()
    await expect.poll(async () => (await mark.boundingBox())?.y).toBe(before?.y)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.panel').count()).toBe(0)
    await expect
      .poll(() => mark.evaluate((element) => element === document.activeElement))
      .toBe(true)
  })

  it('shows a source in its context, with its quote marked, and saves the original where it may (#10.7)', async () => {
    const page = await visit()
    await say(page, 'Question')
    await answered(page)
    await page.locator('button.cite', { hasText: '2' }).first().click()
    const place = page.locator('.source.is-open .place')
    await place.locator('mark').waitFor()
    await expect
      .poll(() => place.locator('mark').textContent())
      .toBe('Quoted: Software whose seal has been broken cannot be returned. End of the quote.')
    await expect
      .poll(() => place.locator('.place-where').textContent())
      .toBe('What holds in every shop page 12')
    await expect
      .poll(() => place.locator('.neighbour p').allTextContents())
      .toEqual(['Words of the page before.', 'Words after.'])
    await expect.poll(() => place.locator('.neighbour p').first().isVisible()).toBe(false)
    await place.getByText('The text before').click()
    await expect.poll(() => place.locator('.neighbour p').first().isVisible()).toBe(true)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      place.getByRole('button', { name: 'Download the document' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('terms of sale.pdf')
    const asked = server.requests.find(({ path }) => path.endsWith('/sources/1'))
    expect(asked?.headers.authorization).toBe('Bearer visitor-1')
    await page.locator('.source button.source-name').first().click()
    await page.locator('.source.is-open mark').first().waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: 'Download the document' }).count())
      .toBe(0)
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
    await say(page, 'Question')
    await answered(page)
    await page.locator('.source').waitFor()
    await expect.poll(() => page.locator('.sources-title').textContent()).toBe('1 source')
    await expect
      .poll(() => page.locator('.source-row .source-mark').allTextContents())
      .toEqual(['1', '2'])
    await page.locator('.source button').click()
    await page.locator('.place mark').nth(2).waitFor()
    const lit = () =>
      page.evaluate(() => ({
        proofs: [...document.querySelectorAll('[data-lit]')].map((e) => e.textContent?.trim()),
        sentence: [...(CSS.highlights.get('proven-sentence') ?? [])].map(String),
      }))
    await expect.poll(lit).toEqual({ proofs: [], sentence: [] })
    await page.locator('.md strong').hover()
    const label = {
      proofs: ['2', 'Quoted: A label. End of the quote.'],
      sentence: ['A label is needed'],
    }
    await expect.poll(lit).toEqual(label)
    await page.locator('.composer textarea').hover()
    await expect.poll(lit).toEqual({ proofs: [], sentence: [] })
    await page.locator('button.cite').nth(2).focus()
    await expect.poll(lit).toEqual({
      proofs: ['1', 'Quoted: A receipt. End of the quote.'],
      sentence: ['Bring the receipt'],
    })
    await page.locator('button.cite').nth(1).focus()
    await expect.poll(lit).toEqual(label)
    await page.locator('.composer textarea').focus()
    await expect.poll(lit).toEqual({ proofs: [], sentence: [] })
  })

  it('says that a document changed since, and keeps what was quoted', async () => {
    const page = await visit()
    server.script = () => reply('One [1].', { sources: RICH_SOURCES.slice(0, 1) })
    server.context = () => ({ status: 410, body: { detail: 'Gone', code: 'source_gone' } })
    await say(page, 'Question')
    await answered(page)
    await page.locator('.source button').click()
    await page.getByText('The document was changed or deleted since this answer.').waitFor()
    await expect
      .poll(() => page.locator('.place blockquote').textContent())
      .toBe(RICH_SOURCES[0]?.quote)
    open[0]?.faults.splice(0)
  })

  it('offers a way on where nothing was found: other words, the closest documents, a person (#10.7)', async () => {
    const page = await visit()
    server.script = () => noMatchReply()
    await say(page, 'Where is the moon?')
    await answered(page)
    const ways = page.locator('.no-match')
    await ways.waitFor()
    await expect.poll(() => ways.textContent()).toContain('Try other words')
    await expect
      .poll(() => ways.locator('.chip').allTextContents())
      .toEqual(['How do I return an item?Returns and exchanges', 'Payment and refunds handbook'])
    await expect.poll(() => ways.getByText('Talk to a person').count()).toBe(0)
    server.script = () => reply('So.')
    await ways.locator('.chip').first().click()
    await answered(page, 2)
    expect(server.to('/v1/chat/stream').at(-1)?.body).toMatchObject({
      message: 'How do I return an item?',
    })
    await expect.poll(() => page.locator('.no-match button').count()).toBe(0)
  })

  it('says that sources are linked where they are, and offers a person where there is one (#10.7)', async () => {
    const page = await visit()
    await expect
      .poll(() => page.locator('.disclaimer').textContent())
      .toBe('Answers can be wrong. Sources are linked.')
    const features = { feedback: true, history: false, signIn: true }
    server.page = {
      features: {
        ...features,
        sources: false,
        handOff: true,
        speech: false,
        hears: false,
        opening: false,
      },
    }
    const other = await revisit()
    await expect
      .poll(() => other.locator('.disclaimer').textContent())
      .toBe('Answers can be wrong.')
    server.script = () => noMatchReply()
    await say(other, 'Where is the moon?')
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
    await say(page, 'a')
    await answered(page)
    await expect.poll(() => lastReply(page).locator('.md').textContent()).toBe('One 1 and two 2.')
    await expect.poll(() => lastReply(page).locator('button.cite').count()).toBe(0)
    await expect
      .poll(() => lastReply(page).locator('.quiet').textContent())
      .toBe('Based on 2 documents of this assistant.')
    server.script = () => reply('I do not know [4].', { done: { finish_reason: 'no_match' } })
    await say(page, 'b')
    await answered(page, 2)
    await expect.poll(() => lastReply(page).locator('.md').textContent()).toBe('I do not know [4].')
    await expect.poll(() => lastReply(page).locator('.quiet').count()).toBe(0)
    server.script = () => reply('Long', { done: { finish_reason: 'length' } })
    await say(page, 'c')
    await answered(page, 3)
    await expect
      .poll(() => lastReply(page).locator('.quiet').textContent())
      .toContain('length limit')
  })

  it('shows what a guard put in place of the text', async () => {
    const page = await visit()
    server.script = () => [
      { event: 'token', data: { text: 'The password is' } },
      { event: 'replace', data: { text: 'I cannot help with that.' }, wait: 50 },
      { event: 'done', data: { finish_reason: 'guard', sources: [] } },
    ]
    await say(page, 'a')
    await answered(page)
    await expect
      .poll(() => lastReply(page).locator('.md').textContent())
      .toBe('I cannot help with that.')
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
    await answered(page, 2)
    await expect
      .poll(() => page.getByRole('button', { name: 'Can I exchange instead?' }).count())
      .toBe(0)
    await expect.poll(() => lastReply(page).locator('details').getAttribute('open')).toBeNull()
    await expect.poll(() => lastReply(page).textContent()).toContain('Used weather')
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
    await expect
      .poll(() => form.locator('.field-error').textContent())
      .toBe('Please fill in this field.')
    await form.getByLabel('E-mail').fill('nobody')
    await form.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => form.locator('.field-error').textContent()).toContain('valid e-mail')
    await form.getByLabel('E-mail').fill('a@b.example')
    await form.getByLabel('Reason').selectOption('Wrong')
    server.script = () => reply('Done.')
    await form.getByRole('button', { name: 'Send' }).click()
    await answered(page, 4)
    expect(server.to('/v1/chat/stream').at(-1)?.body).toMatchObject({
      message: 'E-mail: a@b.example\nReason: Wrong\nNewsletter: No',
    })
    await expect.poll(() => form.getByLabel('E-mail').isDisabled()).toBe(true)
    await expect.poll(() => form.getByLabel('E-mail').inputValue()).toBe('a@b.example')
  })

  it('sends thumbs, and reasons and a comment after thumbs down', async () => {
    const page = await visit()
    await say(page, 'a')
    await answered(page)
    await page.getByRole('button', { name: 'Poor answer' }).click()
    await page.getByLabel('Out of date').check()
    await page.getByLabel('In your own words').fill('Too long')
    await page.getByRole('button', { name: 'Send feedback' }).click()
    await page.getByText('Thank you for your feedback.').waitFor()
    const sent = server.requests.filter((r) => r.path.endsWith('/feedback'))
    expect(sent.map((r) => r.body)).toEqual([
      { value: 'down' },
      { value: 'down', comment: 'Too long', reasons: ['outdated'] },
    ])
    await expect
      .poll(() => page.getByRole('button', { name: 'Poor answer' }).getAttribute('aria-pressed'))
      .toBe('true')
  })
})

describe('what the visitor may do next', () => {
  it('shows a call to action as a card; who dismisses it goes on writing and does not meet it again (#13.7)', async () => {
    const page = await visit()
    const data = {
      title: 'Book a visit',
      text: 'We come to you.',
      url: 'https://acme.example/book',
    }
    server.script = () => [{ event: 'cta', data }, ...reply('We do.')]
    await say(page, 'Do you come to us?')
    const card = page.getByRole('complementary', { name: 'Book a visit' })
    await card.getByText('We come to you.').waitFor()
    await expect.poll(() => card.getByRole('link').getAttribute('href')).toBe(data.url)
    const kept = () => page.evaluate(() => JSON.stringify(localStorage))
    await expect.poll(kept).toContain(data.title)
    await card.getByRole('button', { name: 'Dismiss' }).click()
    await card.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await expect.poll(kept).not.toContain(data.title)
    await expect
      .poll(() => server.to('/v1/chat/dismiss').map(({ body }) => body))
      .toEqual([{ session_id: expect.any(String) }])
  })

  it('leads who has questions to answer first to the page that asks them (#13.9)', async () => {
    const page = await visit()
    const asks = `${server.origin}/login/acme?lang=en`
    server.script = () => ({
      status: 403,
      body: { code: 'onboarding_required', detail: `Please answer a few questions first: ${asks}` },
    })
    await say(page, 'Hello')
    const note = page.locator('.problem')
    await note.getByText('Please answer a few questions first:', { exact: false }).waitFor()
    await expect.poll(() => note.getByRole('link').getAttribute('href')).toBe(asks)
    await expect.poll(() => note.getByRole('link').textContent()).toBe(asks)
    await expect.poll(() => page.locator('.own').count()).toBe(1)
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
    server.script = () => [
      { event: 'form', data: { title: 'Return', fields: [{ name: 'why', label: 'Why' }] } },
      { event: 'done', data: { reply: 'Please fill in:', finish_reason: 'form' } },
    ]
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
    await page.screenshot({ path: `dist/screenshots/chat-outdated.png` })
    await page.unrouteAll()
    await reload.click()
    await page.locator('form.card').last().waitFor()
    await expect
      .poll(() => page.locator('.bubble').allTextContents())
      .toEqual(['Hello', 'I want to return it', 'Once more'])
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

  it('keeps the text of an answer that failed in the middle', async () => {
    const page = await visit()
    server.script = () => [
      { event: 'token', data: { text: 'Half an answer' } },
      { event: 'error', data: { code: 'upstream', detail: 'Upstream error', retryable: true } },
    ]
    await say(page, 'Hello')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await expect.poll(() => lastReply(page).locator('.md').textContent()).toBe('Half an answer')
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

  it.each(['chat-', 'locale-en'])('says so when its %s file does not come', async (part) => {
    await visit()
    const watched = await openPage(browser, server.origin)
    open.push(watched)
    await watched.page.route(`**/assets/${part}*`, (route) =>
      route.request().url().endsWith('.css') ? route.continue() : route.abort(),
    )
    await watched.page.goto(`${server.origin}/a/acme/front-desk`)
    await watched.page.getByText('The chat could not be loaded.').waitFor()
    await expect
      .poll(() => watched.page.getByRole('heading', { name: 'Front desk' }).count())
      .toBe(1)
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
    open.push(watched)
    const response = await watched.page.goto(`${server.origin}/a/acme/nobody`)
    expect(response?.status()).toBe(404)
    await expect.poll(() => watched.page.getByRole('heading').textContent()).toBe('Page not found')
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
    await expect.poll(focused).toBe('Message')
    await tabTo('Source 1: Returns and exchanges', 'Shift+Tab')
    await page.keyboard.press('Enter')
    // The mark that opened it has the same name: only the source's own button closes it.
    await page.waitForSelector('.source.is-open :focus')
    await expect.poll(focused).toContain('Returns and exchanges')
    await page.keyboard.press('Enter')
    await page.locator('.source.is-open').waitFor({ state: 'detached' })
    await tabTo('Menu', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('select')
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Menu')
    await tabTo('Conversation')
    const before = await page.locator('.log').evaluate((log) => log.scrollTop)
    await page.keyboard.press('PageDown')
    await page.waitForFunction(
      (top) => (document.querySelector('.log')?.scrollTop ?? 0) > top,
      before,
    )
  })

  it('takes the keyboard to a source that was opened before what shows it had come', async () => {
    const page = await visit('/a/acme/front-desk', { viewport: { width: 800, height: 700 } })
    const held: (() => Promise<void>)[] = []
    let holds = true
    await page.route('**/assets/chunk-*.js', async (route) => {
      if (holds) held.push(() => route.continue())
      else await route.continue()
    })
    await page.fill('textarea', 'Question')
    await page.keyboard.press('Enter')
    const mark = page.locator('button.cite').first()
    await mark.waitFor()
    await expect.poll(() => held.length).toBeGreaterThan(0)
    await mark.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.source').count()).toBe(0)
    holds = false
    for (const go of held.splice(0)) await go()
    await page.waitForSelector('.source.is-open :focus')
  })

  it('goes past a long conversation: to the message field at once, or message by message (#14.8)', async () => {
    const page = await visit()
    const reply = (n: number) => ({
      ...{
        kind: 'reply',
        key: `r${n}`,
        messageId: null,
        state: 'done',
        text: `Answer ${n} [a](https://a.example)`,
      },
      ...{ stage: null, reasoning: '', tools: [], sources: [], suggestions: [], options: [] },
      ...{ form: null, cta: null, finishReason: 'stop', problem: null, feedback: null, at: 0 },
    })
    const entries = Array.from({ length: 21 }, (_, n) => reply(n))
    // What a page kept of its own chat goes with it.
    await page.close()
    await page
      .context()
      .addInitScript(
        (stored) => localStorage.setItem('parley:tenant-1:Front desk:chat', stored),
        JSON.stringify({ version: 1, userId: null, sessionId: null, entries, pending: null }),
      )
    const other = await page.context().newPage()
    await other.goto(`${server.origin}/a/acme/front-desk`)
    const items = other.locator('.messages > li')
    await expect.poll(() => items.count()).toBe(21)
    await expect.poll(() => items.locator('a:not([tabindex="-1"])').count()).toBe(1)
    await items.last().focus()
    await other.keyboard.press('ArrowUp')
    const focused = () => other.evaluate(() => document.activeElement?.textContent ?? '')
    await expect.poll(focused).toContain('Answer 19')
    await other.keyboard.press('Tab')
    await expect.poll(focused).toBe('a')
    await other.keyboard.press('Home')
    await other.getByRole('button', { name: 'Go to the message field' }).focus()
    await other.keyboard.press('Enter')
    await expect
      .poll(() => other.evaluate(() => document.activeElement?.localName))
      .toBe('textarea')
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
    await say(page, 'Is it?')
    await answered(page)
    await expect.poll(said).toEqual(['Answering', 'Yes. Thirty days.'])
    server.script = () => reply('word '.repeat(400))
    await say(page, 'Long?')
    await answered(page, 2)
    await expect
      .poll(said)
      .toEqual([
        'Answering',
        'Yes. Thirty days.',
        'Answering',
        expect.stringMatching(/^.{400,540}… More in the conversation\.$/),
      ])
    await expect.poll(() => page.getByRole('log').getAttribute('aria-live')).toBe('off')
  })

  it('names every message by author and time', async () => {
    const page = await visit()
    await say(page, 'Hi')
    await answered(page)
    const names = () =>
      page
        .locator('.messages > li')
        .evaluateAll((items) =>
          items.map(
            (li) => document.getElementById(li.getAttribute('aria-labelledby') ?? '')?.textContent,
          ),
        )
    await expect
      .poll(names)
      .toEqual([expect.stringMatching(/^You, \d/), expect.stringMatching(/^Front desk, \d/)])
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
    await expect.poll(() => page.inputValue('textarea')).toBe('日本\nx')
    expect(server.to('/v1/chat/stream')).toHaveLength(0)
  })

  it('follows the end only while the reader is there', async () => {
    const page = await visit('/a/acme/front-desk', { viewport: { width: 600, height: 500 } })
    const left = Promise.withResolvers<void>()
    server.script = () =>
      reply('line\n\n'.repeat(60), { size: 12, holdAt: 240, until: left.promise })
    await say(page, 'Write')
    await page.waitForFunction(() => (document.querySelector('.log')?.scrollTop ?? 0) > 200)
    await page.locator('.log').evaluate((log) => {
      log.scrollTop = 0
    })
    await page.locator('.pill').waitFor()
    left.resolve()
    await page.getByRole('button', { name: 'New reply' }).waitFor()
    await expect.poll(() => page.locator('.log').evaluate((log) => log.scrollTop)).toBe(0)
    await page.getByRole('button', { name: 'New reply' }).click()
    await answered(page)
    const distance = () =>
      page.locator('.log').evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight)
    await expect.poll(distance).toBeLessThan(2)
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
  await say(page, 'Write')
  await answered(page)
  await expect.poll(() => page.locator('.md button.cite').count()).toBe(600)
  const longest = () =>
    page.evaluate(() => Math.max(0, ...(globalThis as unknown as { long: number[] }).long))
  // Two cores carry the browser, the server and other work: what must not happen is a stall that a reader notices.
  await expect.poll(longest).toBeLessThan(500)
})

it.each(LANGUAGES)(
  'says in its language that sources are read for a longer answer: %s (#13.5)',
  async (lang) => {
    const words = (
      await import(`../../src/web/chat/locales/${lang}.json`, { with: { type: 'json' } })
    ).default
    const page = await visit(`/a/acme/front-desk?lang=${lang}`)
    const seen = Promise.withResolvers<void>()
    const status = { event: 'status', data: { stage: 'research', n: 1, of: 3, question: 'Why?' } }
    server.script = () => reply('Found.', { before: [status], until: seen.promise })
    await say(page, 'Compare')
    await expect.poll(() => page.locator('.reply .stage').textContent()).toBe(words.stageRetrieve)
    seen.resolve()
    await page.locator('.reply .md', { hasText: 'Found.' }).waitFor()
    await expect.poll(() => page.locator('.reply .stage').count()).toBe(0)
  },
)

describe('the opening (#13.6)', () => {
  it('greets in the words of the day and offers storylines beside the menu, in the page’s language', async () => {
    server = new ChatServer()
    const features = { feedback: true, history: false, signIn: true, sources: true }
    server.page = {
      features: { ...features, handOff: false, speech: false, hears: false, opening: true },
    }
    server.opening = (lang) => ({
      greeting: lang === 'es' ? 'Buenos días, ¿qué necesita?' : 'Good morning, what do you need?',
      greeting_id: `said in ${lang}`,
      storylines: [{ id: 's1', label: 'First steps', value: 'First steps' }],
    })
    await server.start()
    const page = await revisit()
    await page.getByText('Good morning, what do you need?').waitFor()
    await expect
      .poll(() => page.locator('.intro .chip').allTextContents())
      .toEqual(['Return an item', 'Warranty', 'Opening hours', 'First steps'])
    await openMenu(page)
    await page.locator('.popover select').selectOption('es')
    await page.getByText('Buenos días, ¿qué necesita?').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'First steps' }).click()
    await answered(page)
    expect(server.to('/v1/chat/stream')[0]?.body).toMatchObject({
      message: 'First steps',
      greeting_id: 'said in es',
    })
    await ask(page, 'And then?')
    expect(server.to('/v1/chat/stream')[1]?.body).not.toHaveProperty('greeting_id')
  })

  it('sends the greeting that came with the page, and asks without it once it has ended', async () => {
    server = new ChatServer()
    const words = { name: 'Front desk', greeting: 'Good day.', greetingId: 'ended', menu: [] }
    server.page = { agent: { name: 'Front desk', description: null, words, translations: {} } }
    const problem = { loc: ['body', 'greeting_id'], msg: 'it is not known, or has ended' }
    server.script = (body) =>
      'greeting_id' in body ? { status: 422, body: { detail: [problem] } } : reply('Hello.')
    await server.start()
    const page = await revisit()
    await ask(page, 'Hello')
    const sent = server.to('/v1/chat/stream').map(({ body }) => body)
    expect(sent).toMatchObject([{ greeting_id: 'ended' }, { message: 'Hello' }])
    expect(sent[1]).not.toHaveProperty('greeting_id')
    await page.locator('.reply .md', { hasText: 'Hello.' }).waitFor()
  })

  it('keeps the words that came with the page where the opening cannot be read', async () => {
    server = new ChatServer()
    const features = { feedback: true, history: false, signIn: true, sources: true }
    server.page = {
      features: { ...features, handOff: false, speech: false, hears: false, opening: true },
    }
    server.opening = () => ({ greeting: 7, storylines: [null, { label: 'x' }] })
    await server.start()
    const page = await revisit()
    await expect.poll(() => server.to('/v1/agents/Front%20desk/opening').length).toBe(1)
    await page.getByText('Welcome to Acme.').waitFor()
    await expect.poll(() => page.locator('.intro .chip').count()).toBe(3)
  })
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
    await expect.poll(() => page.locator('.composer-note').textContent()).toContain('notes.txt')
    await expect.poll(() => page.locator('.composer-note').textContent()).toContain('broken.png')
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
    await expect.poll(() => page.locator('.own img').getAttribute('alt')).toBe('wide.png')
    await page.reload()
    await page.locator('.own-image-name', { hasText: 'wide.png' }).waitFor()
  })

  it('refuses one that stays above 5 MB, by its name, and keeps what was written', async () => {
    const page = await visit()
    // As a browser without an encoder for WebP leaves a large photograph.
    await page.evaluate(() => {
      HTMLCanvasElement.prototype.toBlob = (take) =>
        take(new Blob([new Uint8Array(5 * 2 ** 20 + 1)]))
    })
    await page.keyboard.type('What is this?')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add images' }).click(),
    ])
    await chooser.setFiles([
      { name: 'huge.png', mimeType: 'image/png', buffer: await picture(page, 40, 40) },
    ])
    await expect
      .poll(() => page.locator('.composer-note').textContent())
      .toContain('huge.png: the image is too large.')
    await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('What is this?')
    await expect.poll(() => page.getByRole('img', { name: 'huge.png' }).count()).toBe(0)
  })

  it('shows that a picture is being prepared, and sent ones in a grid; phones offer their camera (#14.5)', async () => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }
    const page = await visit('/a/acme/front-desk', phone)
    await page.evaluate(() => {
      const decode = globalThis.createImageBitmap.bind(globalThis)
      const held = Promise.withResolvers<void>()
      Object.assign(globalThis, {
        letGo: held.resolve,
        createImageBitmap: (file: Blob) => held.promise.then(() => decode(file)),
      })
    })
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Take a photo' }).click(),
    ])
    const buffer = await picture(page, 400, 300)
    await chooser.setFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    await expect.poll(() => page.locator('.preparing').count()).toBe(1)
    await expect
      .poll(() => page.locator('.composer-note').textContent())
      .toBe('Preparing the images')
    await page.evaluate(() => (globalThis as unknown as { letGo(): void }).letGo())
    await page.getByRole('img', { name: 'a.png' }).waitFor()
    await page
      .locator('input[type=file]:not([capture])')
      .setInputFiles(['b.png', 'c.png'].map((name) => ({ name, mimeType: 'image/png', buffer })))
    await expect.poll(() => page.locator('.attachments img').count()).toBe(3)
    await expect.poll(() => page.locator('.preparing').count()).toBe(0)
    await page.press('.composer textarea', 'Enter')
    await answered(page)
    const boxes = async () =>
      Promise.all((await page.locator('.own-images img').all()).map((image) => image.boundingBox()))
    await expect.poll(async () => (await boxes()).length).toBe(3)
    await expect
      .poll(async () => {
        const [first, second, third] = await boxes()
        return first?.y === second?.y && (third?.y ?? 0) > (first?.y ?? 0)
      })
      .toBe(true)
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
    await expect.poll(() => page.locator('.attachments img').count()).toBe(4)
    await page.getByRole('button', { name: 'Remove paste0.png' }).click()
    await expect.poll(() => page.locator('.attachments img').count()).toBe(3)
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
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe('en')
    const loaded = () => server.requests.filter((r) => r.path.includes('/locale-')).length
    expect(loaded()).toBe(1)
    await openMenu(page)
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
    await openMenu(page)
    await page.getByLabel('Dark').check()
    const dark = 'rgb(17, 22, 20)'
    const background = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await expect.poll(background).toBe(dark)
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.body) return
        Object.assign(globalThis, { themeAtBody: document.documentElement.dataset.theme })
        observer.disconnect()
      }).observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    await expect
      .poll(() =>
        page.evaluate(() => (globalThis as unknown as { themeAtBody: string }).themeAtBody),
      )
      .toBe('dark')
    await expect.poll(background).toBe(dark)
  })

  it('wears the tenant’s accent', async () => {
    server = new ChatServer()
    server.page = {
      tenant: { id: 't', name: 'Acme', logoUrl: null, accent: '#7a1fa2' },
    }
    await server.start()
    const page = await revisit()
    const accent = () =>
      page.locator('.tile').evaluate((tile) => getComputedStyle(tile).backgroundColor)
    await expect.poll(accent).toBe('rgb(122, 31, 162)')
  })
})
