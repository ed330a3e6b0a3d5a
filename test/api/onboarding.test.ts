import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'

const PASSWORD = 'correct horse battery'
const CONSENT = { en: 'We keep what you write.', fr: 'Nous gardons ce que vous écrivez.' }

describe('what a tenant asks of new people', () => {
  let parley: Parley
  let tenant: SeededTenant
  let people = 0
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const onboarding_config = { required_fields: ['phone', 'pref_name'], consent_text: CONSENT }
    await expectOk(tenant.call('PATCH', '/v1/tenant/settings', { onboarding_config }))
  })

  const register = (more: object = {}, headers: Record<string, string> = {}) => {
    people += 1
    const body = { tenant_id: tenant.id, email: `p${people}@people.example`, password: PASSWORD }
    return parley.call('POST', '/auth/register', { body: { ...body, ...more }, headers })
  }
  const answers = { pref_name: 'Ada', contact_phone: '+4915112345678', consent: true }
  const detail = async (userId: string) =>
    (await expectOk(tenant.call('GET', `/v1/manage/users/${userId}`))).json

  it('is refused without the answers, each at its place', async () => {
    const { status, json } = await register({ pref_name: ' ', contact_phone: '', consent: false })
    expect(status).toBe(422)
    expect(json.detail).toEqual(
      ['contact_phone', 'pref_name', 'consent'].map((field) => ({
        type: 'missing',
        loc: ['body', field],
        msg: 'Field required',
      })),
    )
  })

  it.each([
    [{ contact_phone: '0151 1234' }, 'contact_phone'],
    [{ pref_name: 'a'.repeat(81) }, 'pref_name'],
    [{ pref_city: 7 }, 'pref_city'],
    [{ consent: 'perhaps' }, 'consent'],
  ])('does not take %j', async (wrong, field) => {
    const { status, json } = await register({ ...answers, ...wrong })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', field]])
  })

  it('keeps the answers, and of the consent its time and the text in the language that was read', async () => {
    const before = Date.now()
    for (const [lang, text] of [
      ['fr', CONSENT.fr],
      ['ru', CONSENT.en],
    ] as const) {
      const { json } = await expectOk(register({ ...answers, lang }))
      const user = await detail(json.user_id)
      expect(user).toMatchObject({ pref_name: 'Ada', contact_phone: '+4915112345678' })
      expect(user.consent.text_hash).toBe(createHash('sha256').update(text).digest('hex'))
      expect(Date.parse(user.consent.at)).toBeGreaterThanOrEqual(before)
    }
  })

  it('asks nothing of visitors and of people whom the tenant vouches for', async () => {
    const visitor = await expectOk(
      parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } }),
    )
    const authorization = `Bearer ${visitor.json.access_token}`
    const body = { message: 'Hello', agent: 'desk' }
    await expectOk(parley.call('POST', '/v1/chat', { body, headers: { authorization } }))
    await expectOk(tenant.as('ada', 'POST', '/v1/chat', body))
    const { json: me } = await expectOk(tenant.as('ada', 'GET', '/me'))
    expect((await detail(me.user_id)).consent).toBeNull()
  })

  it('is only stored where something was asked', async () => {
    const free = await seedTenant(parley)
    expect((await free.as('ada', 'POST', '/me/onboarding', { consent: true })).status).toBe(204)
    const { json: me } = await expectOk(free.as('ada', 'GET', '/me'))
    const { json } = await expectOk(free.call('GET', `/v1/manage/users/${me.user_id}`))
    expect(json.consent).toBeNull()
  })

  it.each([
    [
      { required_fields: ['email', 'phone'], consent_text: { en: 'Ok?', version: 3 } },
      ['contact_phone', 'consent'],
    ],
    [{ required_fields: 'phone', welcome: { version: 3 }, consent_text: 7 }, []],
  ])('asks what there is to ask of what an earlier release took: %j', async (stored, asked) => {
    const own = await seedTenant(parley)
    const { DB } = await parley.worker.getEnv()
    await DB.prepare('UPDATE tenants SET onboarding_config = ? WHERE id = ?')
      .bind(JSON.stringify(stored), own.id)
      .run()
    expect((await parley.call('GET', `/login/${own.id}`)).status).toBe(200)
    const without = await register({ tenant_id: own.id })
    const missing = asked.map((field) => expect.objectContaining({ loc: ['body', field] }))
    expect([without.status, without.json.detail ?? []]).toEqual([
      asked.length > 0 ? 422 : 200,
      missing,
    ])
    expect((await register({ ...answers, tenant_id: own.id })).status).toBe(200)
  })
})
