import { describe, expect, it } from 'vitest'
import { renderAgentList } from '../../src/pages/agent-list-page'
import { renderFrontPage, renderNotFoundPage, renderProblemPage } from '../../src/pages/agent-page'
import { renderFrameNotice } from '../../src/pages/frame-notice'
import { noMatchReply } from '../support/chat-samples'
import { reply, type Script } from '../support/chat-server'
import { noViolations, noViolationsInBoth } from './browser'
import { ask, openMenu, say, sourcesShown } from './chat'
import { forVisits, lastReply, server, visit } from './chat-visits'

forVisits()

const HOME = '/a/acme/front-desk?lang=en'
const FORM = {
  title: 'Form',
  fields: [
    { name: 'a', label: 'Name', required: true, help: 'As on the invoice' },
    { name: 'b', label: 'When', type: 'date' },
    { name: 'c', label: 'Colours', type: 'multiselect', options: ['Red', 'Blue'] },
    { name: 'd', label: 'Text', type: 'textarea' },
    { name: 'e', label: 'Choice', type: 'select', options: ['One', 'Two'] },
  ],
}

describe('no rule of accessibility is broken, in the light and in the dark, in English and Arabic (#14)', () => {
  it('in a conversation with its sources', { timeout: 90_000 }, async () => {
    const page = await visit(HOME, { viewport: { width: 1280, height: 860 } })
    await noViolationsInBoth(page)
    await ask(page, 'Question')
    await sourcesShown(page)
    const mark = page.locator('button.cite').first()
    // What still moves below the mark (sources that come) takes its name away again.
    const named = async () => {
      await mark.blur()
      await mark.focus()
      return page.locator('.tip').isVisible()
    }
    await expect.poll(named).toBe(true)
    await noViolationsInBoth(page)
    await page.locator('button.cite').first().click()
    await page.locator('.panel .source.is-open mark').waitFor()
    await noViolationsInBoth(page)
    await page.locator('.reply .source button').nth(1).click()
    await page.locator('.reply .source.is-open mark').waitFor()
    server.script = () => noMatchReply()
    await ask(page, 'Nothing')
    await page.locator('.no-match').waitFor()
    await noViolationsInBoth(page)
    await openMenu(page)
    await noViolationsInBoth(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await noViolationsInBoth(page)
  })

  it('in what a reply asks for, and what it is rated with', { timeout: 90_000 }, async () => {
    const page = await visit(HOME, { colorScheme: 'dark' })
    server.script = () => [
      { event: 'reasoning', data: { text: 'Thinking.' } },
      { event: 'tool', data: { id: '1', name: 'weather', state: 'done' } },
      { event: 'cta', data: { title: 'Book a visit', url: 'https://acme.example/visit' } },
      { event: 'storyline', data: { id: 's', name: 'Start', progress: { done: 2, total: 4 } } },
      { event: 'form', data: FORM },
      { event: 'clarify', data: { question: 'Which?', options: ['This', 'That'] } },
      { event: 'done', data: { reply: 'Please fill in.', finish_reason: 'form' } },
    ]
    await ask(page, 'Form')
    const form = page.locator('form.card')
    await form.locator('button[type=submit]').click()
    await page.locator('.field-error').waitFor()
    // What is wrong is told by the field too, not only below it.
    const colours = () =>
      form.evaluate((card) => {
        const [field, error] = ['[aria-invalid=true]', '.field-error'].map((one) =>
          card.querySelector(one),
        )
        if (!field || !error) return null
        return getComputedStyle(field).borderTopColor === getComputedStyle(error).color
      })
    await expect.poll(colours).toBe(true)
    await page.locator('.reasoning summary').click()
    await page.locator('.cta').waitFor()
    await noViolationsInBoth(page)
    await form.getByLabel('Name').fill('Ada')
    const looked = Promise.withResolvers<void>()
    const stage = { event: 'status', data: { stage: 'retrieving' } }
    server.script = () => reply('Thank you.', { before: [stage], until: looked.promise })
    await form.locator('button[type=submit]').click()
    await page.locator('.reply .stage', { hasText: 'Looking through the documents' }).waitFor()
    await noViolationsInBoth(page)
    looked.resolve()
    await lastReply(page).locator('.md', { hasText: 'Thank you.' }).waitFor()
    await lastReply(page).getByRole('button', { name: 'Poor answer' }).click()
    await page.locator('.comment textarea').waitFor()
    await noViolationsInBoth(page)
  })

  it('in what goes wrong', { timeout: 120_000 }, async () => {
    const page = await visit(HOME)
    const refused =
      (status: number, detail: unknown, code?: string): Script =>
      () => ({ status, body: { detail, code }, headers: { 'Retry-After': '3000' } })
    const asks = `Please answer a few questions first: ${server.origin}/login/acme?lang=en`
    for (const script of [
      refused(429, 'Monthly token quota exceeded'),
      refused(429, 'Too many requests'),
      refused(500, 'Internal Server Error'),
      refused(404, 'Agent not found'),
      refused(403, asks, 'onboarding_required'),
      () => [
        { event: 'token', data: { text: 'Half an answer' } },
        { event: 'error', data: { code: 'upstream', detail: 'Upstream error', retryable: true } },
      ],
    ] satisfies Script[]) {
      server.script = script
      await say(page, 'Hello')
      await lastReply(page).locator('.problem').waitFor()
    }
    await expect.poll(() => page.locator('.problem').count()).toBe(6)
    await noViolationsInBoth(page)

    // The visit ends, and begins anew with a line between.
    server.revoked.add('visitor-1')
    server.script = () => reply('Hello again.')
    await ask(page, 'Hello')
    await page.locator('li.note').waitFor()
    await page.context().setOffline(true)
    await page.locator('.banner.is-warn').waitFor()
    await say(page, 'Is anybody there?')
    await page.locator('.queued').waitFor()
    await noViolationsInBoth(page)
    await page.context().setOffline(false)
    await page.locator('.queued').waitFor({ state: 'detached' })
  })

  it('in pictures, too long a message, and a reply that came while one read above', {
    timeout: 90_000,
  }, async () => {
    const phone = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true }
    const page = await visit(HOME, phone)
    const png = await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 40
      return canvas.toDataURL().split(',')[1] ?? ''
    })
    const pictures = (...names: string[]) =>
      page.locator('input[type=file]:not([capture])').setInputFiles(
        names.map((name) => {
          return { name, mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }
        }),
      )
    await pictures('a.png', 'b.png')
    await page.getByRole('img', { name: 'b.png' }).waitFor()
    await page.evaluate(() => {
      globalThis.createImageBitmap = () => new Promise(() => {})
    })
    await page.fill('.composer textarea', 'x'.repeat(16_001))
    await noViolationsInBoth(page)
    await pictures('c.png')
    await page.locator('.preparing').waitFor()
    await noViolationsInBoth(page)
    await page.reload()
    await page.waitForSelector('textarea')
    await pictures('a.png', 'b.png')
    await page.getByRole('img', { name: 'b.png' }).waitFor()
    const left = Promise.withResolvers<void>()
    const text = 'line\n\n'.repeat(60)
    server.script = () => reply(text, { size: 12, holdAt: 240, until: left.promise })
    await say(page, 'What is this?')
    await page.waitForFunction(() => (document.querySelector('.log')?.scrollTop ?? 0) > 200)
    await page.locator('.log').evaluate((log) => log.scrollTo(0, 0))
    await page.locator('.pill').waitFor()
    await noViolationsInBoth(page)
    left.resolve()
    await page.getByRole('button', { name: 'New reply' }).waitFor()
  })

  it.each(['en', 'ar'] as const)(
    'on pages without a chat: %s',
    { timeout: 60_000 },
    async (lang) => {
      const page = await visit(HOME)
      const shell = { nonce: 'mAAAAAAAAAAAAAAAAAAAAA==', lang, assets: server.assets }
      const tenant = { name: 'Acme', logoUrl: null, accent: '#7a1fa2', website: null }
      const list = { ...shell, origin: server.origin, langExplicit: true, tenant, indexable: false }
      const agents = ['Front desk', 'Workshop'].map((name) => ({
        name,
        path: '/a/acme/front-desk',
      }))
      for (const { status, headers, html } of [
        renderFrontPage(shell),
        renderNotFoundPage(shell),
        renderProblemPage(shell, 503),
        renderFrameNotice({ ...shell, theme: null }),
        renderAgentList({ ...list, agents }),
        renderAgentList({ ...list, agents: [] }),
      ]) {
        await page.route('**/bare', (route) => route.fulfill({ status, headers, body: html }))
        await page.goto(`${server.origin}/bare`)
        await page.locator('h1').waitFor()
        await noViolations(page)
        await page.unrouteAll()
      }
    },
  )
})
