import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { makePng } from '../support/image-bytes'
import { type MailServer, startMailServer } from '../support/mail-server'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { startTelegram, type TelegramServer } from '../support/telegram-server'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver'
import { horizontalOverflow, launchBrowser, noViolations, openPage, takePicture } from './browser'
import { enterConsole } from './console'
import { startSite } from './site'

const MODEL_KEY = 'sk-never-shown-again'

describe('overview, usage, audit and settings in the console', () => {
  let browser: Browser
  let parley: Parley
  let receiver: WebhookReceiver
  let telegram: TelegramServer
  let mail: MailServer
  let model: OpenAiServer
  let tenant: SeededTenant
  let origin: string

  beforeAll(async () => {
    browser = await launchBrowser()
    receiver = await startWebhookReceiver()
    telegram = await startTelegram()
    mail = await startMailServer('none')
    model = await startOpenAi()
    model.script = () => ({ text: 'OK' })
    const pairs = [receiver.pair, telegram.pair, mail.pair, new URL(model.baseUrl).host]
    parley = await startSite({
      EGRESS_ALLOW: pairs.join(),
      DOH_URL: 'http://127.0.0.1:9/dns-query',
      TELEGRAM_URL: telegram.url,
    })
    origin = parley.url.origin
    tenant = await seedTenant(parley, { name: 'Acme' })
    await seedAgent(tenant, 'desk')
    await expectOk(tenant.call('PATCH', '/v1/agents/desk', { published: true }))
    await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'desk' }))
  })
  afterAll(async () => {
    await browser.close()
    await parley.close()
    await Promise.all([receiver, telegram, mail, model].map((server) => server.close()))
  })

  const read = async (path: string) => (await expectOk(tenant.call('GET', path))).json
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const confirm = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  const go = (page: Page, path: string) =>
    page.evaluate((hash) => {
      location.hash = hash
    }, path)
  const title = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const look = async (page: Page, picture: string) => {
    await noViolations(page)
    await takePicture(page, `console-${picture}`, { fullPage: true })
    await page.setViewportSize({ width: 320, height: 800 })
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    await takePicture(page, `console-${picture}-narrow`, { fullPage: true })
    await page.setViewportSize({ width: 1280, height: 900 })
  }
  const open = () => openPage(browser, origin, { viewport: { width: 1280, height: 900 } })

  it('shows what happens, counts what was used, and proves what was changed', async () => {
    await expectOk(tenant.as('ann', 'POST', '/v1/chat', { message: 'Hello?' }))
    await waitFor(async () => {
      const { total } = await read('/v1/manage/usage')
      return total.total_tokens > 0 ? total : null
    })
    const { page, faults, strangers } = await open()
    await enterConsole(page, origin, tenant.key)
    await page.getByText('No mail server is set').waitFor()
    await page.getByText('Set a mail server').waitFor()
    await page.getByRole('link', { name: 'Published agents' }).waitFor()
    await page.locator('.usage-plot canvas').waitFor()
    await page.getByText('Show as a table').click()
    await expect.poll(() => page.locator('.usage-as-table tbody tr').count()).toBe(30)
    await page.getByText('Show as a table').click()
    await look(page, 'overview')

    await go(page, '/usage')
    await title(page, 'Usage')
    await page.locator('.usage-plot canvas').waitFor()
    await page.getByLabel('Group by').selectOption('Agent')
    await page.getByRole('table').getByRole('link', { name: 'desk' }).waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe('#/usage?group=agent')
    await look(page, 'usage')
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download CSV').click(),
    ])
    expect(csv.suggestedFilename()).toBe('usage-agent-30d.csv')
    expect(await readFile(await csv.path(), 'utf8')).toContain(',desk,')

    await go(page, '/audit')
    await title(page, 'Audit')
    await page.locator('.audit-who', { hasText: 'Operator of Parley · API' }).waitFor()
    await page.getByLabel('Action').selectOption('Changed')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/audit?action=update')
    const rows = page.locator('.audit-row')
    await page.locator('.audit-row', { hasText: 'Published' }).waitFor({ state: 'detached' })
    await rows.first().click()
    await page.getByText('hash and contents fit').waitFor()
    await page.getByText('alias', { exact: true }).waitFor()
    await page.locator('.audit-detail').getByRole('link', { name: 'Open' }).waitFor()
    await button(page, 'Verify').click()
    await page.getByText('The chain begins with the very first entry.').waitFor()
    await look(page, 'audit')
    const [trail] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download CSV').click(),
    ])
    const [header, ...lines] = (await readFile(await trail.path(), 'utf8')).trim().split('\r\n')
    expect(header).toMatch(/^id,created_at,.*canonical$/)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => !line.includes(',update,'))).toEqual([])
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  }, 120_000)

  it('stores what a tenant says of itself, and refuses what no page could use', async () => {
    await expectOk(tenant.call('PATCH', '/v1/tenant/settings', { profile: { segment: 'retail' } }))
    const { page, faults } = await open()
    await enterConsole(page, origin, tenant.key, '/settings/general')
    await title(page, 'General')
    await page.getByLabel('Company').fill('Acme Ltd')
    await page.getByLabel('Time zone').selectOption('Europe/Paris')
    await page.getByLabel('Français').check()
    await page.getByLabel('Accent colour', { exact: false }).last().fill('green')
    await page.getByLabel('Default agent').selectOption('desk')
    await page.getByLabel('Any site may show the widget').uncheck()
    await page.getByLabel('Sites that may show the widget').fill('https://shop.example')
    await page.getByLabel('Welcome').fill('Come in.')
    await page.getByLabel('Phone number').check()
    await button(page, 'Save').click()
    await page.getByText('A colour such as #0b6b5d').waitFor()
    await page.getByLabel('Accent colour', { exact: false }).last().fill('#aa3300')
    await button(page, 'Save').click()
    await page.getByText(/Saved .*20\d\d/).waitFor()
    expect(await read('/v1/tenant/settings')).toMatchObject({
      profile: {
        segment: 'retail',
        company: 'Acme Ltd',
        timezone: 'Europe/Paris',
        languages: ['fr'],
        accent: '#aa3300',
        default_agent: 'desk',
        widget_origins: ['https://shop.example'],
      },
      onboarding_config: { welcome: 'Come in.', required_fields: ['phone'], consent_text: null },
    })
    await page.locator('input[type=file]').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: Buffer.from(makePng(120, 40)),
    })
    const logo = page.getByAltText('Your logo')
    await logo.waitFor()
    await expect.poll(() => logo.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(120)
    await look(page, 'general')

    await go(page, '/settings/sign-in')
    await title(page, 'Sign-in and mail')
    const google = page.getByRole('region', { name: 'Google' })
    await google.getByRole('button', { name: 'Enter credentials' }).click()
    await google.getByLabel('Client ID').fill('client-7')
    await google.getByLabel('Client secret').fill('with blank')
    await google.getByRole('button', { name: 'Save' }).click()
    await google.getByText('no white space or control characters').waitFor()
    await google.getByLabel('Client secret').fill('a-secret')
    await google.getByRole('button', { name: 'Save' }).click()
    await google.getByText('In use').waitFor()
    await page.getByLabel('Host').fill('127.0.0.1')
    await page.getByRole('spinbutton', { name: 'Port' }).fill(String(mail.port))
    await page.getByLabel('Sender address').fill('hello@acme.example')
    await button(page, 'Save').last().click()
    await page.getByLabel('Send a test to').fill('me@acme.example')
    await button(page, 'Send test').click()
    await page.getByText('A test message is on its way').waitFor()
    expect(mail.mails[0]).toMatchObject({ from: 'hello@acme.example', to: ['me@acme.example'] })
    mail.refuseWith('not here')
    await button(page, 'Send test').click()
    await page.getByText('The mail server did not take the message').waitFor()
    const { smtp, oauth } = await read('/v1/tenant/settings')
    expect(smtp).toMatchObject({ host: '127.0.0.1', port: mail.port, has_password: false })
    expect(oauth[0]).toMatchObject({ client_id: 'client-7', configured: true, enabled: true })
    await look(page, 'sign-in')

    await go(page, '/settings/domain')
    await page.getByRole('textbox', { name: 'Domain' }).fill('chat.acme-example.com')
    await page.getByLabel('Shows').selectOption('desk')
    await button(page, 'Save').click()
    const record = page.getByRole('table')
    await record.getByText('CNAME').waitFor()
    const bound = await read('/v1/tenant/custom-domain')
    expect(bound).toMatchObject({ agent_alias: 'desk', status: 'pending' })
    await record.getByText(bound.cname_target).waitFor()
    await look(page, 'domain')
    await button(page, 'Unbind').click()
    await page.getByRole('dialog').getByLabel('Type').fill('chat.acme-example.com')
    await confirm(page, 'Unbind')
    await page.getByRole('heading', { name: 'Bind a domain' }).waitFor()
    expect(await read('/v1/tenant/custom-domain')).toBeNull()

    await go(page, '/settings/privacy')
    await title(page, 'Privacy and model')
    await button(page, 'Set a model').click()
    await page.getByRole('textbox', { name: 'Address' }).fill(model.baseUrl)
    await page.getByRole('textbox', { name: 'Model' }).fill('own-model')
    await page.locator('input[type=password]').fill(MODEL_KEY)
    await button(page, 'Try and save').click()
    await page.getByRole('definition').filter({ hasText: 'own-model' }).waitFor()
    await page.getByLabel('Tokens a day and person').fill('10')
    await button(page, 'Save').click()
    const least = 'Input should be greater than or equal to 1000'
    await page.getByText(least, { exact: true }).waitFor()
    await page.getByLabel('Tokens a day and person').fill('5000')
    await button(page, 'Save').click()
    await page.getByText(/Saved .*20\d\d/).waitFor()
    await page.getByRole('switch', { name: 'Privacy mode' }).click()
    await look(page, 'privacy-mode')
    await confirm(page, 'Switch on')
    await page.getByText('On: you cannot read conversations.').waitFor()
    expect(await read('/v1/tenant/privacy')).toMatchObject({
      privacy_mode: true,
      byok: { model: 'own-model', has_api_key: true },
    })
    expect((await read('/v1/tenant/settings')).daily_tokens_per_user).toBe(5000)
    await look(page, 'privacy')
    expect(faults).toEqual([])
  }, 120_000)

  it('makes keys and webhooks whose secrets are shown once, and connects a bot', async () => {
    const { page, faults } = await open()
    await enterConsole(page, origin, tenant.key, '/settings/security')
    await button(page, 'New key').click()
    await page.getByRole('dialog').getByLabel('Name').fill('Web shop')
    await page.getByLabel('Only some things').check()
    await page.getByRole('checkbox', { name: /^chat/ }).check()
    await look(page, 'new-key')
    await confirm(page, 'Create')
    const shown = page.getByRole('dialog').locator('code')
    await expect.poll(() => shown.textContent()).toMatch(/^pk_/)
    const plaintext = (await shown.textContent()) ?? ''
    const headers = { 'x-api-key': plaintext }
    expect((await parley.call('GET', '/v1/tenant/keys', { headers })).status).toBe(403)
    await confirm(page, 'I have copied it')
    await expect.poll(() => page.content()).not.toContain(plaintext)
    await button(page, 'Actions for Web shop').click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await confirm(page, 'Revoke')
    await page.getByRole('row', { name: /Web shop.*Revoked/ }).waitFor()
    expect((await parley.call('GET', '/v1/models', { headers })).status).toBe(401)
    const last = await read('/v1/tenant/keys')
    await button(page, `Actions for ${last[1].name}`).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await confirm(page, 'Delete')
    await page.getByText('The last active API key cannot be revoked').waitFor()
    await page.keyboard.press('Escape')
    await look(page, 'security')

    await go(page, '/settings/webhooks')
    await page.getByText('No webhooks yet').waitFor()
    await button(page, 'New webhook').first().click()
    await page.getByLabel('Address').fill('http://10.0.0.1/')
    await confirm(page, 'Create')
    await page.getByText('URL is not allowed').waitFor()
    await page.getByLabel('Address').fill(receiver.url('/hook'))
    await page.getByLabel('User deleted').uncheck()
    await confirm(page, 'Create')
    await expect.poll(() => shown.textContent()).toMatch(/^whsec_/)
    await confirm(page, 'I have copied it')
    await page.getByRole('link', { name: receiver.url('/hook') }).click()
    await page.getByText('Nothing was sent').waitFor()
    await button(page, 'Send a test').click()
    await page.getByText('The test arrived (204).').waitFor()
    await button(page, 'Send again: Test').click()
    await expect.poll(() => receiver.to('/hook').length).toBe(2)
    expect((await read('/v1/tenant/webhooks'))[0].events).toHaveLength(8)
    // Beside what an answer is about, its event has whole words; the ids are shown when they are asked for.
    await expectOk(tenant.as('ann', 'POST', '/v1/chat', { message: 'Hello?' }))
    await expect.poll(() => receiver.to('/hook').length).toBeGreaterThan(2)
    await button(page, 'Reload').click()
    const answered = page.getByRole('row').filter({ hasText: 'Answer finished' })
    await answered.getByText('agent: desk').waitFor()
    await expect.poll(() => answered.getByText('session_id').isVisible()).toBe(false)
    await answered.getByText('agent: desk').click()
    await answered.getByText('session_id').waitFor()
    await look(page, 'webhook')
    await page.getByLabel('Failed').check({ force: true })
    await expect.poll(() => new URL(page.url()).hash).toContain('status=failed')
    await button(page, 'Delete').click()
    await confirm(page, 'Delete')
    await page.getByText('No webhooks yet').waitFor()

    await go(page, '/settings/channels')
    await page.getByLabel('Bot token').fill('nonsense')
    await button(page, 'Connect').click()
    await page.getByText('not a token that the channel knows').waitFor()
    const bot = telegram.addBot()
    await page.getByLabel('Bot token').fill(bot.token)
    await button(page, 'Connect').click()
    await page.getByRole('link', { name: `@${bot.username}` }).waitFor()
    expect((await read('/v1/tenant/channels'))[0]).toMatchObject({ configured: true })
    await look(page, 'channels')
    await button(page, 'Disconnect').click()
    await confirm(page, 'Disconnect')
    await page.getByText('Open @BotFather').waitFor()
    expect(faults).toEqual([])
  }, 120_000)

  it('stands from right to left in Arabic', async () => {
    const { page, faults } = await open()
    await page.addInitScript(() => localStorage.setItem('parley:lang', 'ar'))
    await page.goto(`${origin}/console#/`)
    await page.locator('input').first().fill(tenant.key)
    await page.locator('form button[type=submit]').click()
    await page.locator('.usage-plot canvas').waitFor()
    await look(page, 'overview-ar')
    await go(page, '/usage')
    const figures = () =>
      page
        .locator('.table .numeric')
        .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign))
    await expect.poll(async () => [...new Set(await figures())]).toEqual(['start'])
    await go(page, '/audit')
    await page.locator('.audit-row').first().click()
    await page.locator('.audit-detail .badge').waitFor()
    await look(page, 'audit-ar')
    await go(page, '/settings/sign-in')
    await page.locator('.settings-item').first().waitFor()
    await look(page, 'sign-in-ar')
    expect(faults).toEqual([])
  }, 60_000)
})
