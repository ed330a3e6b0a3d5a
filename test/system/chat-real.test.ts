import { beforeAll, describe, expect, it } from 'vitest'
import { CuttingProxy } from '../support/cutting-proxy'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { openPage } from './browser'
import { ask, watchReads } from './chat'
import { browser, origin, parley, withSite } from './with-site'

const GUIDE = {
  'Refund policy': 'Refunds are paid within five working days. Shipping is free above 50 euros.',
  'Opening hours': 'The office opens at nine in the morning. On Sundays it is closed.',
}

/** The whole way: the page that the Worker serves, its assets, the visitor's token, the stream, the stored turn. */
describe('the page on the real Worker', () => {
  let tenant: SeededTenant

  withSite()
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', GUIDE)
    await seedAgent(tenant, 'desk', {
      knowledge_bases: ['guide'],
      grounding_required: true,
      public_sources: true,
      greeting: 'Ask me about **refunds**.',
      menu_items: ['When does the office open?'],
      translations: {
        ar: { display_name: 'مكتب المساعدة', greeting: 'اسألني عن المبالغ المستردة.' },
      },
    })
    await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'help-desk' }))
  })

  async function visit(lang = 'en', at = origin) {
    const watched = await openPage(browser, at)
    await watched.page.goto(`${at}/a/${tenant.alias}/help-desk?lang=${lang}`)
    await watched.page.waitForSelector('.composer textarea')
    return watched
  }

  it('answers a visitor with a quote that stands in the document, and remembers the session', async () => {
    const { page, faults, strangers } = await visit()
    await expect.poll(() => page.locator('.greeting strong').textContent()).toBe('refunds')
    await ask(page, 'When are refunds paid?')
    await expect.poll(() => page.locator('.problem').count()).toBe(0)
    await expect
      .poll(() => page.locator('.reply .md').textContent())
      .toContain('within five working days')
    await expect
      .poll(() => page.locator('.source bdi').allTextContents())
      .toEqual(['Refund policy'])
    await page.locator('button.cite').first().click()
    await expect
      .poll(() => page.locator('.source.is-open mark').textContent())
      .toMatch(/^Quoted: Refunds are paid within five working days\. /)
    await page.reload()
    await page.locator('.reply .md', { hasText: 'five working days' }).waitFor()
    await ask(page, 'When does the office open?')
    await expect.poll(() => page.locator('.reply .md').last().textContent()).toContain('nine')
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  })

  it('names and greets in the language that the visitor chooses on the page (#8.25)', async () => {
    const { page, faults } = await visit('en')
    const seen = async () => [
      await page.title(),
      await page.locator('h1').textContent(),
      await page.locator('.greeting').textContent(),
      await page.locator('.composer textarea').getAttribute('placeholder'),
    ]
    const { name } = (await tenant.call('GET', '/v1/tenant/me')).json
    await expect.poll(seen).toEqual([`desk · ${name}`, 'desk', 'Ask me about refunds.', 'Ask desk'])
    await page.locator('.menu > button').click()
    await page.locator('select').selectOption('ar')
    await page.locator('h1', { hasText: 'مكتب المساعدة' }).waitFor()
    await expect
      .poll(seen)
      .toEqual([
        `مكتب المساعدة · ${name}`,
        'مكتب المساعدة',
        'اسألني عن المبالغ المستردة.',
        expect.stringContaining('مكتب المساعدة'),
      ])
    expect(faults).toEqual([])
  })

  it('says that nothing fits, from a menu chip on', async () => {
    const { page, faults } = await visit()
    await page.getByRole('button', { name: 'When does the office open?' }).click()
    await page.locator('.reply .md', { hasText: 'at nine' }).waitFor()
    await page.locator('.actions').waitFor()
    await ask(page, 'Who discovered penicillin and in which laboratory?')
    await page.locator('.no-match').waitFor()
    expect(faults).toEqual([])
  })

  it('gets the whole answer over connections that break, without a repeat', async () => {
    const proxy = new CuttingProxy(parley.url)
    const { page, faults } = await visit('en', await proxy.start())
    proxy.allRead = await watchReads(page, proxy)
    await ask(page, 'When are refunds paid?')
    const whole = await page.locator('.reply .md').textContent()
    proxy.cuts.push(2, 1, 1)
    await ask(page, 'When are refunds paid?')
    await expect.poll(() => page.locator('.reply .md').last().textContent()).toBe(whole)
    await expect.poll(() => page.locator('.reply').last().locator('.source').count()).toBe(1)
    expect(proxy.cuts).toEqual([])
    const ids = proxy.resumedFrom.map(Number)
    expect(ids).toHaveLength(3)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    expect(faults).toEqual([])
    await page.context().close()
    await proxy.stop()
  })

  it('renews a visit that the server no longer knows', async () => {
    const { page } = await visit()
    await ask(page, 'When are refunds paid?')
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) {
        if (!key.endsWith(':visitor')) continue
        const stored = JSON.parse(localStorage.getItem(key) ?? '{}')
        localStorage.setItem(key, JSON.stringify({ ...stored, token: `${stored.token}x` }))
      }
    })
    await page.reload()
    await page.waitForSelector('.composer textarea')
    await ask(page, 'When does the office open?')
    await expect.poll(() => page.locator('.problem').count()).toBe(0)
    await expect.poll(() => page.locator('.note').count()).toBe(1)
  })

  it('goes on with an agent that was renamed meanwhile, in a session and without one', async () => {
    const alias = 'to-be-renamed'
    await seedAgent(tenant, 'first-name', { knowledge_bases: ['guide'], grounding_required: true })
    await expectOk(tenant.call('PUT', '/v1/agents/first-name/alias', { alias }))
    const open = async () => {
      const { page, faults } = await openPage(browser, origin)
      await page.goto(`${origin}/a/${tenant.alias}/${alias}?lang=en`)
      await page.waitForSelector('.composer textarea')
      return { page, faults }
    }
    const [begun, idle] = [await open(), await open()]
    await ask(begun.page, 'When are refunds paid?')
    await begun.page.locator('.reply .md', { hasText: 'five working days' }).waitFor()
    await expectOk(tenant.call('PATCH', '/v1/agents/first-name', { name: 'second-name' }))
    for (const { page, faults } of [begun, idle]) {
      await ask(page, 'When does the office open?')
      await page.locator('.reply .md', { hasText: 'nine' }).waitFor()
      await expect.poll(() => page.locator('.problem').count()).toBe(0)
      expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
    }
    await expect.poll(() => begun.page.locator('.reply .md').count()).toBe(2)
    const text = () => begun.page.locator('.composer textarea').inputValue()
    const shown = async () => [await begun.page.locator('.reply .md').count(), await text()]
    await begun.page.fill('.composer textarea', 'Not sent yet')
    await begun.page.reload()
    await expect.poll(shown).toEqual([2, 'Not sent yet'])
    // As an earlier page kept it: under the name.
    await begun.page.evaluate(() => {
      for (const [key, value] of Object.entries(localStorage)) {
        if (!/:(?:chat|draft)/.test(key)) continue
        localStorage.removeItem(key)
        localStorage.setItem(key.replace(/^(parley:[^:]+:)[^:]+/, '$1second-name'), value)
      }
    })
    await begun.page.reload()
    await expect.poll(shown).toEqual([2, 'Not sent yet'])
    const keys = () => begun.page.evaluate(() => Object.keys(localStorage).join())
    await expect.poll(keys).not.toContain('second-name')
    await expect.poll(() => begun.page.locator('.note').count()).toBe(0)
  })

  it('serves assets for a year and the neutral page for what is not there', async () => {
    const page = await parley.call('GET', `/a/${tenant.alias}/help-desk`)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? ''
    const asset = await parley.call('GET', script)
    expect(asset.status).toBe(200)
    expect(asset.headers.get('cache-control')).toContain('immutable')
    expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
    const nonces = new Set<string | undefined>()
    const bodies = new Set<string>()
    for (const path of [`/a/${tenant.alias}/nobody`, '/a/nobody/help-desk', `/a/${tenant.id}/x`]) {
      const missing = await parley.call('GET', path)
      expect(missing.status).toBe(404)
      const nonce = /nonce-([^']+)'/.exec(missing.headers.get('content-security-policy') ?? '')?.[1]
      nonces.add(nonce)
      bodies.add(missing.text.replaceAll(nonce ?? '', ''))
    }
    expect(nonces.size).toBe(3)
    expect(bodies.size).toBe(1)
  })
})
