import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'
import { publishedStoryline, storylineFile } from '../support/storylines'
import {
  horizontalOverflow,
  noViolations,
  noViolationsInBoth,
  openPage,
  takePicture,
} from './browser'
import { ask, say } from './chat'
import { browser, origin, parley, withSite } from './with-site'

const ASKED = 'A person was asked for. Their answer appears here.'

/** The three worked examples of storylines, in the page that the Worker serves. */
describe('a storyline on the page', () => {
  let tenant: SeededTenant

  withSite()
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    for (const [agent, name] of [
      ['front-desk', 'customer-intake'],
      ['lola', 'spanish-cafe'],
      ['helpdesk', 'no-internet'],
    ] as const) {
      await seedAgent(tenant, agent, { tools: ['handoff'] })
      await expectOk(tenant.call('PUT', `/v1/agents/${agent}/alias`, { alias: agent }))
      const file = storylineFile(name)
      // Visitors of the page have no account.
      const graph = { ...(file.graph as object), trigger: { examples: ['my wifi is dead'] } }
      await publishedStoryline(parley, tenant, { ...file, graph })
    }
  })

  async function visit(agent: string, lang = 'en', options: BrowserContextOptions = {}) {
    const watched = await openPage(browser, origin, { reducedMotion: 'reduce', ...options })
    await watched.page.goto(`${origin}/a/${tenant.alias}/${agent}?lang=${lang}`)
    await watched.page.waitForSelector('.composer textarea')
    return watched
  }
  const lastReply = (page: Page) => page.locator('.reply .md').last()
  const announced = (page: Page) => page.locator('[data-announcer]').textContent()
  /** Walks on with Tab until the focus is on what is wanted, as somebody without a mouse does. */
  async function tabTo(page: Page, wanted: string): Promise<void> {
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab')
        return page.evaluate(
          (selector) => document.activeElement?.matches(selector) === true,
          wanted,
        )
      })
      .toBe(true)
  }

  it('the intake goes by keyboard through options and a form to a person', async () => {
    const { page, faults, strangers } = await visit('front-desk')
    await ask(page, 'Hello')
    const bar = page.getByRole('region', { name: 'Storyline' })
    await bar.waitFor()
    await expect.poll(() => bar.locator('.badge').textContent()).toBe('Getting started')
    await expect.poll(() => bar.getByRole('button').allTextContents()).toEqual(['Leave'])
    await expect.poll(() => announced(page)).toContain('3 options to choose from.')
    await expect
      .poll(() => page.getByRole('list', { name: 'Options' }).getByRole('button').allTextContents())
      .toEqual(['Buy or upgrade', 'Get help', 'Something else'])
    await noViolationsInBoth(page)
    await takePicture(page, 'storyline-options')
    await page.locator('.reply').last().locator('.actions button').first().focus()
    await tabTo(page, '.chips .chip')
    await page.keyboard.press('Enter')
    await lastReply(page).getByText('how many people work').waitFor()

    await ask(page, '12 people')
    const form = page.locator('form.form')
    await form.waitFor()
    await expect.poll(() => announced(page)).toContain('A form with 2 fields follows.')
    await expect.poll(() => form.locator('legend').textContent()).toBe('Please fill in:')
    // The reply says it already.
    await expect.poll(() => form.locator('legend').getAttribute('class')).toBe('sr')
    const noted = bar.getByRole('button', { name: 'What I noted' })
    await expect.poll(() => noted.getAttribute('aria-expanded')).toBe('false')
    await noted.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => noted.getAttribute('aria-expanded')).toBe('true')
    await expect
      .poll(() => bar.locator('dl').textContent())
      .toMatch(/What you needBuy or upgradePeople in your company12/)
    await noViolationsInBoth(page)
    await takePicture(page, 'storyline-form')

    const email = form.getByLabel('E-mail')
    await email.focus()
    await page.keyboard.type('ann')
    await page.keyboard.press('Enter')
    await form.locator('.field-error').first().waitFor()
    await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true')
    await email.fill('ann@example.com')
    await form.getByLabel('Your request in one sentence').fill('Call me back')
    await page.keyboard.press('Enter')
    await lastReply(page).getByText('A colleague will write to you').waitFor()
    await page.getByText(ASKED).waitFor()
    await bar.waitFor({ state: 'detached' })
    await takePicture(page, 'storyline-person-asked')
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  })

  it('a person who was asked for answers in the page', async () => {
    const { page, faults } = await visit('helpdesk')
    const person = page.getByText(ASKED)
    await ask(page, 'Can I talk to a human?')
    await person.waitFor()
    // What the page shows stays when it is loaded again.
    const follows = page.waitForResponse((response) => response.url().endsWith('/me/stream'))
    await page.reload()
    await person.waitFor()
    await follows
    const { json: inbox } = await expectOk(tenant.call('GET', '/v1/manage/handoffs'))
    const { session_id } = inbox.items[0]
    const staff = (verb: string, body?: unknown) =>
      expectOk(tenant.call('POST', `/v1/manage/sessions/${session_id}/${verb}`, body))
    await staff('reply', { text: 'This is Ben. I call you at noon.' })
    await lastReply(page).getByText('This is Ben.').waitFor()
    await page.locator('.reply').last().getByText('A person of the team').waitFor()
    // Nobody asked on this page; whoever cannot see it is told all the same.
    await expect
      .poll(() => page.locator('[data-announcer]').textContent())
      .toBe('This is Ben. I call you at noon.')
    await page.getByText('You are talking to a person. The assistant waits.').waitFor()
    // A person's words are not made anew.
    const again = page.locator('.reply').last().getByRole('button', { name: 'Answer again' })
    await expect.poll(() => again.count()).toBe(0)
    await noViolationsInBoth(page)
    await takePicture(page, 'storyline-person-answers')
    await staff('resume')
    await page.getByText('You are talking to a person.').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('the course shows how far one is, right to left and on a narrow page too, and is left', async () => {
    const { page, faults } = await visit('lola', 'ar', {
      viewport: { width: 320, height: 640 },
      colorScheme: 'dark',
    })
    // What users may pick stands among what one may start with.
    await page.getByRole('button', { name: 'At the café' }).click()
    const bar = page.getByRole('region', { name: 'محادثة موجَّهة' })
    await bar.locator('progress').waitFor()
    await expect.poll(() => bar.getByRole('status').textContent()).toMatch(/الخطوة .* · Placement/)
    await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
    const edges = async () => {
      const [badge, leave] = await Promise.all([
        bar.locator('.badge').boundingBox(),
        bar.getByRole('button').last().boundingBox(),
      ])
      return badge && leave ? badge.x > leave.x || badge.y < leave.y : null
    }
    await expect.poll(edges).toBe(true)
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    await noViolationsInBoth(page)
    await takePicture(page, 'storyline-ar-narrow')
    await page.locator('.chips .chip').first().click()
    await expect.poll(() => bar.getByRole('status').textContent()).toContain('Lesson')
    await bar.getByRole('button').last().click()
    await bar.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('an offer is a card with its name, to start and to leave (#12.5)', async () => {
    const { page, faults } = await visit('helpdesk')
    await ask(page, 'my wifi is dead')
    await lastReply(page).getByText('Shall we go through “Fix my connection” together?').waitFor()
    const card = page.getByRole('region', { name: 'Fix my connection' })
    const choices = card.getByRole('button')
    await expect.poll(() => choices.allTextContents()).toEqual(['Start', 'Not now'])
    await noViolationsInBoth(page)
    await takePicture(page, 'storyline-offer')
    await choices.last().click()
    await card.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('an offer is taken by its button; a hidden storyline shows neither name nor Leave', async () => {
    const { page, faults } = await visit('helpdesk')
    await ask(page, 'my wifi is dead')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await lastReply(page).getByText('What is your customer number?').waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Storyline' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it.each([
    ['en', 'light', 1280],
    ['ar', 'dark', 320],
  ] as const)(
    'an answer that is given without a network is kept, told, and sent when it is back, in %s (#12)',
    async (lang, colorScheme, width) => {
      const words = (
        await import(`../../src/web/chat/locales/${lang}.json`, { with: { type: 'json' } })
      ).default
      const { page, faults } = await visit('helpdesk', lang, {
        colorScheme,
        viewport: { width, height: 720 },
      })
      await ask(page, 'my wifi is dead')
      await page.locator('.offer .button.primary').click()
      await lastReply(page).getByText('What is your customer number?').waitFor()
      const queued = page.locator('.own', { has: page.locator('.queued') })

      await page.context().setOffline(true)
      await page.getByText(words.offline).waitFor()
      await say(page, 'DE12345678')
      await expect.poll(() => queued.locator('.bubble').textContent()).toBe('DE12345678')
      await page.getByText(words.queued).waitFor()
      await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('')
      await noViolations(page)
      await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
      await takePicture(page, `storyline-offline-${lang}`)
      await page.context().setOffline(false)
      await lastReply(page).getByText('Which colour is the light on the router?').waitFor()
      await expect.poll(() => queued.count()).toBe(0)

      // What is picked waits as what is written does.
      await page.context().setOffline(true)
      await page.getByText(words.offline).waitFor()
      await page.getByRole('button', { name: 'Off', exact: true }).click()
      await expect.poll(() => queued.locator('.bubble').textContent()).toBe('Off')
      await page.context().setOffline(false)
      await lastReply(page).getByText('switch the router on').waitFor()
      const answers = async () => (await page.locator('.own .bubble').allTextContents()).slice(2)
      await expect.poll(answers).toEqual(['DE12345678', 'Off'])
      await takePicture(page, `storyline-back-${lang}`)
      expect(faults).toEqual([])
    },
  )
})
