import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { openPage } from './browser'
import { ask, openMenu, sourcesShown } from './chat'
import { browser, parley, withSite } from './with-site'

const EMAIL = 'visitor@people.example'
const PASSWORD = 'correct horse battery'
const ORDER = {
  agent_name: 'front-desk',
  key: 'order',
  display_name: 'Order a part',
  entry: 'menu',
  enroll_trigger: 'manual',
  profile_schema: {
    type: 'object',
    properties: {
      part: { type: 'string', maxLength: 80, title: 'Which part' },
      count: { type: 'integer', minimum: 1, maximum: 99, title: 'How many' },
    },
  },
  graph: {
    schema: 1,
    start: 'what',
    nodes: {
      what: {
        type: 'collect',
        form: true,
        slots: [{ slot: 'part' }, { slot: 'count' }],
        exits: [{ id: 'go', to: 'noted', on: 'done' }],
      },
      noted: { type: 'end', outcome: 'ordered', say: 'Thank you, the order is noted.' },
    },
  },
}

describe('a whole visit', { timeout: 180_000 }, () => {
  let tenant: SeededTenant
  let home: string

  withSite()
  beforeAll(async () => {
    tenant = await seedTenant(parley, { name: 'Acme Tools' })
    await seedBase(tenant, 'guide', {
      'Refund policy': 'Refunds are paid within five working days.',
      'Opening hours': 'The office opens at nine in the morning.',
    })
    await seedAgent(tenant, 'front-desk', {
      knowledge_bases: ['guide'],
      grounding_required: true,
      public_sources: true,
    })
    await expectOk(tenant.call('PUT', '/v1/agents/front-desk/alias', { alias: 'front-desk' }))
    const { json } = await expectOk(tenant.call('POST', '/v1/storylines', ORDER))
    await expectOk(tenant.call('POST', `/v1/storylines/${json.id}/publish`))
    home = `${parley.url.origin}/a/${tenant.alias}/front-desk`
  })

  const device = async () => {
    const watched = await openPage(browser, parley.url.origin, {
      viewport: { width: 1440, height: 900 },
    })
    await watched.page.goto(`${home}?lang=en`)
    await watched.page.locator('.composer textarea').waitFor()
    return watched
  }
  const signIn = async (page: Page) => {
    await page.fill('#email', EMAIL)
    await page.fill('#password', PASSWORD)
    await page.click('button[type=submit]')
    await page.waitForURL(`${home}*`)
  }
  const toSignIn = async (page: Page) => {
    await openMenu(page)
    await page.click('a[href^="/login/"]')
  }

  it('asks, reads a source, orders by a form, registers, finds the chat again elsewhere, and deletes the account', async () => {
    const first = await device()
    const { page } = first
    await page.getByRole('button', { name: ORDER.display_name }).waitFor()
    await ask(page, 'When are refunds paid?')
    await sourcesShown(page)
    await page.locator('button.cite').first().click()
    await page.locator('.source.is-open mark', { hasText: 'five working days' }).waitFor()

    await toSignIn(page)
    await page.click('.aside .link')
    await signIn(page)
    await page.locator('li.note', { hasText: 'You are signed in' }).waitFor()
    await ask(page, ORDER.display_name)
    // The chat that began below what was said as a visitor is called by its own first words.
    const current = page.locator('.history-column [aria-current=true]')
    await expect.poll(() => current.textContent()).toContain(ORDER.display_name)
    const form = page.locator('form.form')
    await form.getByLabel('Which part').fill('A left hinge')
    await form.getByLabel('How many').fill('2')
    await form.locator('button[type=submit]').click()
    await page.locator('.reply .md', { hasText: 'the order is noted' }).waitFor()
    await ask(page, 'When does the office open?')
    await page.locator('.reply .md', { hasText: 'nine in the morning' }).waitFor()

    const second = await device()
    await toSignIn(second.page)
    await signIn(second.page)
    const chats = second.page.getByRole('navigation', { name: 'Earlier chats' }).locator('li')
    await expect.poll(() => chats.count()).toBe(1)
    await chats.getByRole('button').first().click()
    const log = second.page.locator('.log')
    await log.getByText('the order is noted').waitFor()
    await log.getByText('A left hinge').waitFor()
    await log.getByText('nine in the morning').first().waitFor()

    await openMenu(second.page)
    await second.page.getByRole('button', { name: 'Account' }).click()
    const account = second.page.locator('dialog.account')
    await account.getByRole('button', { name: 'Delete my account' }).click()
    await account.locator('.confirm').getByLabel('Current password').fill(PASSWORD)
    await account.getByLabel('Type delete to confirm').fill('delete')
    await account.locator('.confirm button[type=submit]').click()
    await account.getByText('Your account is deleted.').waitFor()
    const body = { tenant_id: tenant.id, email: EMAIL, password: PASSWORD }
    expect((await parley.call('POST', '/auth/login', { body })).status).toBe(401)
    for (const { faults, strangers } of [first, second])
      expect({ faults, strangers }).toEqual({ faults: [], strangers: [] })
  })
})
