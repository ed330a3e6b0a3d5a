import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OnboardingConfig } from '../../src/tenants/onboarding'
import { SettingsPatch } from '../../src/tenants/settings-schema'
import { NO_TENANT_FACTS } from '../../src/tenants/tenant-facts'
import { MyProfileIn } from '../../src/users/profile'
import { type Answer, type Parley, startParley } from '../support/harness'
import { type MailServer, plainText, startMailServer, subjectOf } from '../support/mail-server'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const PASSWORD = 'correct horse battery'
const WHEN = /Now: [^\\]+\((?<zone>[^)]+)\)/u

/** Two values of a field, and where the difference is seen. */
interface Row {
  values: readonly [unknown, unknown]
  see: (tenant: SeededTenant) => Promise<unknown>
}
type Rows = Record<string, Row>

describe('every field of the settings and of a profile makes a difference', () => {
  let parley: Parley
  let model: OpenAiServer
  let mail: MailServer
  let accounts = 0

  beforeAll(async () => {
    model = await startOpenAi()
    mail = await startMailServer('none')
    parley = await startParley({
      ...model.vars,
      EGRESS_ALLOW: mail.pair,
    })
    model.script = () => ({ text: 'Good.', usage: { prompt_tokens: 2000, completion_tokens: 1 } })
  })
  afterAll(async () => {
    await parley.close()
    await model.close()
    await mail.close()
  })

  async function makeTenant(): Promise<SeededTenant> {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk', { tools: ['handoff'] })
    await seedAgent(tenant, 'shop')
    await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'desk' }))
    return tenant
  }
  const say = (tenant: SeededTenant, more: Record<string, unknown> = {}) =>
    tenant.as('ada', 'POST', '/v1/chat', {
      message: 'What is the weather?',
      agent: 'desk',
      ...more,
    })
  /** What the model was told for one answer. */
  async function told(tenant: SeededTenant): Promise<string> {
    model.calls.length = 0
    await expectOk(say(tenant))
    return JSON.stringify(model.calls.find(({ stream }) => stream)?.messages)
  }
  const isTold = (words: string) => async (tenant: SeededTenant) =>
    (await told(tenant)).includes(words)
  const zoneTold = async (tenant: SeededTenant) => WHEN.exec(await told(tenant))?.groups?.zone
  const methods =
    (field: string) =>
    async ({ id }: SeededTenant) =>
      (await parley.call('GET', `/auth/methods?tenant_id=${id}`)).json[field]
  const page = (tenant: SeededTenant, headers: Record<string, string> = {}) =>
    parley.call('GET', `/a/${tenant.id}/desk`, { headers })
  const register = (tenant: SeededTenant, more: Record<string, unknown> = {}): Promise<Answer> => {
    accounts += 1
    const email = `p${accounts}@people.example`
    const body = { tenant_id: tenant.id, email, password: PASSWORD, ...more }
    return parley.call('POST', '/auth/register', { body })
  }
  const missing = async (tenant: SeededTenant) => {
    const { status, json } = await register(tenant)
    return status === 422 ? json.detail : status
  }
  /** The mail that confirms a new account's address. */
  async function mailed(tenant: SeededTenant) {
    const [host, port] = mail.pair.split(':')
    const smtp = { host, port: Number(port), user: '', from_addr: 'a@shop.example', starttls: true }
    await expectOk(tenant.call('PUT', '/v1/tenant/settings/smtp', smtp))
    const before = mail.mails.length
    await expectOk(register(tenant))
    return waitFor(async () => mail.mails[before] ?? null)
  }
  const detail = (field: string) => async (tenant: SeededTenant) => {
    const { json: me } = await expectOk(tenant.as('ada', 'GET', '/v1/me'))
    return (await expectOk(tenant.call('GET', `/v1/manage/users/${me.user_id}`))).json[field]
  }

  const SETTINGS: Rows = {
    name: { values: ['Acme', 'Lantern'], see: methods('name') },
    alias: {
      values: ['settings-fields', null],
      see: async ({ id }) => (await parley.call('GET', '/login/settings-fields')).text.includes(id),
    },
    auth_mode: { values: ['native', 'proxy'], see: methods('registration') },
    daily_tokens_per_user: {
      values: [1000, null],
      see: async (tenant) => {
        const statuses: number[] = []
        for (let turn = 0; turn < 4; turn++) statuses.push((await say(tenant)).status)
        return statuses.at(-1)
      },
    },
  }

  const PROFILE: Rows = {
    default_agent: {
      values: ['desk', 'shop'],
      see: async (tenant) => (await say(tenant, { agent: undefined })).json.agent,
    },
    company: {
      values: [undefined, 'Acme Ltd'],
      see: async (tenant) => [
        await isTold('Acme Ltd')(tenant),
        (await page(tenant)).text.includes('<title>desk · Acme Ltd</title>'),
        subjectOf(await mailed(tenant)).includes('Acme Ltd'),
      ],
    },
    website: {
      values: [undefined, 'acme.example'],
      see: async (tenant) => [
        await isTold('acme.example')(tenant),
        (await parley.call('GET', `/login/${tenant.id}`)).text.includes('"https://acme.example"'),
        plainText(await mailed(tenant)).includes('https://acme.example'),
      ],
    },
    timezone: { values: [undefined, 'Asia/Tokyo'], see: zoneTold },
    languages: {
      values: [undefined, ['fr', 'es']],
      see: async (tenant) => [
        await isTold('Serves people in: French (fr), Spanish (es)')(tenant),
        /<html lang="(\w+)"/u.exec((await page(tenant, { 'accept-language': 'ru' })).text)?.[1] !==
          'ru',
        subjectOf(await mailed(tenant)).startsWith('Confirmez'),
      ],
    },
    accent: {
      values: [undefined, '#0a5fa8'],
      see: async (tenant) => (await page(tenant)).text.includes('0a5fa8'),
    },
    public_pages: {
      values: [undefined, true],
      see: async (tenant) => (await page(tenant)).headers.get('x-robots-tag'),
    },
    widget_origins: {
      values: [undefined, ['https://shop.example']],
      see: async ({ id }) =>
        (await parley.call('GET', `/widget/${id}/desk`)).headers.get('content-security-policy'),
    },
    contact_email: {
      values: [undefined, 'team@shop.example'],
      see: async (tenant) => {
        await mailed(tenant)
        const before = mail.mails.length
        await expectOk(say(tenant, { message: 'I want to talk to a person, please.' }))
        return (await waitFor(async () => mail.mails[before] ?? null)).to
      },
    },
  }

  const ONBOARDING: Rows = {
    welcome: {
      values: [undefined, 'Nice to meet you'],
      see: async ({ id }) =>
        (await parley.call('GET', `/login/${id}`)).text.includes('Nice to meet'),
    },
    required_fields: { values: [undefined, ['phone', 'city', 'pref_name']], see: missing },
    consent_text: { values: [undefined, 'We keep what you write.'], see: missing },
  }

  const USER_PROFILE: Rows = {
    pref_name: { values: ['', 'Ada'], see: isTold('Name: Ada') },
    contact_email: { values: ['', 'ada@people.example'], see: detail('contact_email') },
    contact_phone: { values: ['', '+4915112345678'], see: detail('contact_phone') },
    pref_city: { values: ['', 'Lima'], see: isTold('City: Lima') },
    pref_timezone: { values: ['', 'Asia/Tokyo'], see: zoneTold },
  }

  it('has a row for each', () => {
    const settings = Object.keys(SettingsPatch.shape).sort()
    const own = [...Object.keys(SETTINGS), 'onboarding_config', 'profile'].sort()
    expect(own).toEqual(settings)
    expect(Object.keys(ONBOARDING).sort()).toEqual(Object.keys(OnboardingConfig.shape).sort())
    expect(Object.keys(USER_PROFILE).sort()).toEqual(Object.keys(MyProfileIn.shape).sort())
  })

  it('has a row for every key of the profile that the source reads', () => {
    const read = globSync('{src,durable-objects}/**/*.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/tenant\.profile\.(\w+)/gu)].map(([, key]) => key),
    )
    const known = [...new Set([...read, ...Object.keys(NO_TENANT_FACTS), 'default_agent'])].sort()
    expect(Object.keys(PROFILE).sort()).toEqual(known)
  })

  async function compare(
    { values, see }: Row,
    set: (tenant: SeededTenant, value: unknown) => Promise<Answer>,
  ) {
    const differences: unknown[] = []
    for (const value of values) {
      const tenant = await makeTenant()
      if (value !== undefined) await expectOk(set(tenant, value))
      differences.push(await see(tenant))
    }
    const [one, other] = differences
    expect(one).not.toEqual(other)
    // Where several things are looked at, each of them differs.
    if (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.every((seen) => typeof seen === 'boolean')
    )
      expect(one).toEqual(other.map((seen) => !seen))
  }
  const patch = (body: (value: unknown) => object) => (tenant: SeededTenant, value: unknown) =>
    tenant.call('PATCH', '/v1/tenant/settings', body(value))

  it.each(Object.entries(SETTINGS))('settings: %s', (field, row) =>
    compare(
      row,
      patch((value) => ({ [field]: value })),
    ),
  )
  it.each(Object.entries(PROFILE))('profile: %s', (field, row) =>
    compare(
      row,
      patch((value) => ({ profile: { [field]: value } })),
    ),
  )
  it.each(Object.entries(ONBOARDING))('onboarding: %s', (field, row) =>
    compare(
      row,
      patch((value) => ({ onboarding_config: { [field]: value } })),
    ),
  )
  it.each(Object.entries(USER_PROFILE))('profile of a user: %s', (field, row) =>
    compare(row, (tenant, value) =>
      tenant.as('ada', 'PATCH', '/v1/me/profile', { [field]: value }),
    ),
  )
})
