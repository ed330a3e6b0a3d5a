import { describe, expect, it } from 'vitest'
import { noMatchReply, RICH_TEXT } from '../support/chat-samples'
import { reply } from '../support/chat-server'
import { RICH_SOURCES } from '../support/chat-sources'
import { answered, say, sourcesShown } from './chat'
import { forVisits, lastReply, revisit, server, visit, watchedPages } from './chat-visits'

forVisits()

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
    // As in Safari, which gives no focus to what is pressed.
    await page.evaluate(() => {
      addEventListener('mousedown', (event) => event.preventDefault(), { once: true })
    })
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
    const named = page.locator('.source', { hasText: 'Returns and exchanges' })
    await named.locator('button').first().click()
    await named.locator('.place mark').waitFor()
    await expect.poll(() => named.locator('.place-where').count()).toBe(0)
    await page.locator('button.cite', { hasText: '2' }).first().click()
    await place.locator('mark').waitFor()
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

  it('reads a passage only once the answer that rests on it is stored', async () => {
    const page = await visit()
    const stored = Promise.withResolvers<void>()
    let isStored = false
    const context = server.context
    server.context = (n) => (isStored ? context(n) : { status: 404, body: { detail: 'Not Found' } })
    const frames = reply(RICH_TEXT, { sources: RICH_SOURCES })
    server.script = () => [
      ...frames.slice(0, -1),
      ...frames.slice(-1).map((done) => ({ ...done, until: stored.promise })),
    ]
    await say(page, 'What rests on what?')
    await sourcesShown(page)
    await page.locator('button.cite').first().click()
    await page.locator('.source.is-open blockquote').first().waitFor()
    isStored = true
    stored.resolve()
    await page.locator('.source.is-open mark').first().waitFor()
    server.context = context
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
    watchedPages[0]?.faults.splice(0)
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

  it('offers suggestions that an earlier page kept as words alone', async () => {
    const earlier = await visit()
    await say(earlier, 'Question')
    await answered(earlier)
    await earlier.getByRole('button', { name: 'Can I exchange instead?' }).waitFor()
    const context = earlier.context()
    await earlier.close()
    await context.addInitScript(() => {
      const key = Object.keys(localStorage).find((name) => name.endsWith(':chat')) ?? ''
      const kept = JSON.parse(localStorage.getItem(key) ?? '{}')
      kept.entries.at(-1).suggestions = ['Can I exchange instead?']
      localStorage.setItem(key, JSON.stringify(kept))
    })
    const page = await context.newPage()
    await page.goto(`${server.origin}/a/acme/front-desk`)
    await page.getByRole('button', { name: 'Can I exchange instead?' }).click()
    await answered(page, 2)
    expect(server.to('/v1/chat/stream').at(-1)?.body).toMatchObject({
      message: 'Can I exchange instead?',
    })
  })

  it('offers menu, suggestions, options and a form, each sent as a message', async () => {
    const page = await visit()
    await page.getByRole('button', { name: 'Warranty' }).click()
    await answered(page)
    expect(server.to('/v1/chat/stream').at(-1)?.body).toMatchObject({
      message: 'How long is the warranty?',
    })
    server.script = () => [
      { event: 'status', data: { stage: 'retrieving' } },
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
    await expect.poll(() => form.locator('legend').getAttribute('class')).toBe('card-title')
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
