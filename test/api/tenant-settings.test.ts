import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCertificates } from '../support/certificates'
import { type Parley, startParley } from '../support/harness'
import { makePng } from '../support/image-bytes'
import {
  htmlText,
  MAIL_PASSWORD,
  MAIL_USER,
  type MailServer,
  plainText,
  startMailServer,
  subjectOf,
} from '../support/mail-server'
import { expectOk, type SeededTenant, seedTenant } from '../support/seed'

const PNG = makePng(8, 8)

describe('tenant settings', () => {
  let parley: Parley
  let implicit: MailServer
  let startTls: MailServer
  let plain: MailServer

  beforeAll(async () => {
    const certificates = readCertificates()
    implicit = await startMailServer('implicit', certificates)
    startTls = await startMailServer('starttls', certificates)
    plain = await startMailServer('none')
    parley = await startParley({
      EGRESS_ALLOW: [implicit, startTls, plain].map(({ pair }) => pair).join(','),
      DOH_URL: 'http://127.0.0.1:9/dns-query',
    })
  })
  afterAll(async () => {
    await parley.close()
    await Promise.all([implicit, startTls, plain].map((server) => server.close()))
  })

  const smtpOf = (server: MailServer, fields = {}) => ({
    host: '127.0.0.1',
    port: server.port,
    user: MAIL_USER,
    password: MAIL_PASSWORD,
    from_addr: 'post@acme.example',
    starttls: server !== implicit,
    ...fields,
  })
  const test = (tenant: SeededTenant, to = 'ada@people.example', headers = {}) =>
    tenant.call(
      'POST',
      `/v1/tenant/settings/smtp/test?to=${encodeURIComponent(to)}`,
      undefined,
      headers,
    )
  const lastAudit = async (tenant: SeededTenant) =>
    (await expectOk(tenant.call('GET', '/v1/tenant/audit?limit=1'))).json.items[0]

  it('shows everything but secrets', async () => {
    const tenant = await seedTenant(parley)
    const { json } = await expectOk(tenant.call('GET', '/v1/tenant/settings'))
    expect(json).toEqual({
      tenant_id: tenant.id,
      name: `Tenant ${tenant.alias}`,
      alias: tenant.alias,
      alias_prefix: tenant.alias,
      auth_mode: 'native',
      privacy_mode: false,
      status: 'active',
      profile: {},
      onboarding_config: null,
      daily_tokens_per_user: null,
      oauth: [
        { provider: 'google', client_id: null, configured: false, enabled: false },
        { provider: 'github', client_id: null, configured: false, enabled: false },
      ],
      smtp: null,
      logo_url: null,
      model_status: { model: null, state: 'unknown', code: null, message: null, since: null },
    })
  })

  it.each([
    [{ welcome: 7 }, 'welcome'],
    [{ welcome: 'x'.repeat(8001) }, 'welcome'],
    [{ welcome: { es: 7 } }, 'welcome'],
    [{ consent_text: ['yes'] }, 'consent_text'],
    [{ required_fields: 'phone' }, 'required_fields'],
    [{ required_fields: ['phone', 'shoe_size'] }, 'required_fields'],
    ['Hello', undefined],
    [['Hello'], undefined],
  ])('refuses the onboarding %j', async (onboarding_config, field) => {
    const tenant = await seedTenant(parley)
    const { status, json } = await tenant.call('PATCH', '/v1/tenant/settings', {
      onboarding_config,
    })
    const loc = ['body', 'onboarding_config', ...(field ? [field] : [])]
    expect([status, json.detail[0].loc.slice(0, loc.length)]).toEqual([422, loc])
  })

  it('keeps an onboarding with texts in languages, and what else is in it not', async () => {
    const tenant = await seedTenant(parley)
    const kept = {
      welcome: { en: 'Hello', 'zh-TW': '你好' },
      required_fields: ['phone', 'city'],
      consent_text: 'I agree.',
    }
    const sent = { ...kept, welcome: { ...kept.welcome, xx: 'Hm' }, theme: 'dark' }
    for (const [onboarding_config, expected] of [
      [sent, kept],
      [null, null],
    ]) {
      const { json } = await expectOk(
        tenant.call('PATCH', '/v1/tenant/settings', { onboarding_config }),
      )
      expect(json.onboarding_config).toEqual(expected)
    }
  })

  it('reads numbers and booleans that are sent as texts', async () => {
    const tenant = await seedTenant(parley)
    await expectOk(
      tenant.call('PUT', '/v1/tenant/settings/smtp', {
        host: 'smtp.example.com',
        port: '587',
        from_addr: 'a@example.com',
        starttls: 'true',
      }),
    )
    const { json } = await tenant.call('GET', '/v1/tenant/settings')
    expect(json.smtp).toMatchObject({ port: 587, starttls: true })
  })

  it('changes only what is sent, and records it', async () => {
    const tenant = await seedTenant(parley)
    const { json } = await expectOk(
      tenant.call('PATCH', '/v1/tenant/settings', {
        name: 'Acme',
        auth_mode: 'proxy',
        profile: { default_agent: 'helper', __proto__: { x: 1 } },
        onboarding_config: { welcome: 'Hello' },
        status: 'suspended',
        tenant_id: 'other',
      }),
    )
    expect(json).toMatchObject({
      tenant_id: tenant.id,
      name: 'Acme',
      alias: tenant.alias,
      auth_mode: 'proxy',
      status: 'active',
      profile: { default_agent: 'helper' },
      onboarding_config: { welcome: 'Hello' },
    })
    expect(await lastAudit(tenant)).toMatchObject({
      action: 'update',
      entity: 'settings',
      entity_name: 'Acme',
      before: { auth_mode: 'native' },
      after: { auth_mode: 'proxy', profile: { default_agent: 'helper' } },
    })
    const cleared = await expectOk(
      tenant.call('PATCH', '/v1/tenant/settings', {
        name: null,
        auth_mode: null,
        alias: null,
        profile: null,
      }),
    )
    expect(cleared.json).toMatchObject({
      alias: null,
      alias_prefix: tenant.id,
      profile: {},
      name: 'Acme',
    })
  })

  it('changes the fields of the profile that are sent, a null takes one out', async () => {
    const tenant = await seedTenant(parley)
    const patch = async (profile: unknown) =>
      (await tenant.call('PATCH', '/v1/tenant/settings', { profile })).json
    await patch({ company: 'Acme', accent: '#336699', tags: { size: 's', plan: 2 } })
    expect((await patch({ accent: '#0b6b5d', tags: { size: 'm' } })).profile).toEqual({
      company: 'Acme',
      accent: '#0b6b5d',
      tags: { size: 'm' },
    })
    expect((await patch({ accent: null, tags: null, none: null })).profile).toEqual({
      company: 'Acme',
    })
    expect((await patch({})).profile).toEqual({ company: 'Acme' })
    expect(await lastAudit(tenant)).toMatchObject({ after: { profile: { company: 'Acme' } } })
    // What is stored is bounded, not only what is sent.
    expect((await patch({ one: 'x'.repeat(20_000) })).profile.company).toBe('Acme')
    expect((await patch({ two: 'x'.repeat(20_000) })).detail).toMatchObject([
      { loc: ['body', 'profile'], msg: expect.stringContaining('at most 32768 bytes') },
    ])
    expect((await patch(null)).profile).toEqual({})
  })

  it('refuses a taken alias, and writes nothing for a refused request', async () => {
    const [tenant, other] = [await seedTenant(parley), await seedTenant(parley)]
    const taken = await tenant.call('PATCH', '/v1/tenant/settings', {
      name: 'New',
      alias: other.alias,
    })
    expect([taken.status, taken.json]).toEqual([409, { detail: 'Alias already in use' }])
    for (const body of [
      { alias: 'Not An Alias' },
      { alias: 'console' },
      { name: '' },
      { auth_mode: 'sso' },
      { profile: 'text' },
      { profile: { big: 'x'.repeat(40_000) } },
    ]) {
      expect((await tenant.call('PATCH', '/v1/tenant/settings', body)).status).toBe(422)
    }
    const { json } = await tenant.call('GET', '/v1/tenant/settings')
    expect([json.name, json.alias]).toEqual([`Tenant ${tenant.alias}`, tenant.alias])
    expect(await lastAudit(tenant)).toMatchObject({ action: 'create', entity: 'tenant' })
  })

  it('of parallel changes none is lost', async () => {
    const tenant = await seedTenant(parley)
    await Promise.all([
      ...[1, 2, 3].map((n) => tenant.call('PATCH', '/v1/tenant/settings', { name: `Name ${n}` })),
      tenant.call('PATCH', '/v1/tenant/settings', { profile: { accent: '#336699' } }),
      tenant.call('PATCH', '/v1/tenant/settings', { auth_mode: 'proxy' }),
    ])
    const { json } = await tenant.call('GET', '/v1/tenant/settings')
    expect(json).toMatchObject({ profile: { accent: '#336699' }, auth_mode: 'proxy' })
    expect(json.name).toMatch(/^Name [123]$/)
  })

  describe('mail', () => {
    it('sends a localized test mail with TLS from the first byte, by STARTTLS, and to a listed host without', async () => {
      const cases: [MailServer, string, string][] = [
        [implicit, 'fr-CA', 'Message de test de Acme'],
        [startTls, 'zh-TW', '來自Acme的測試郵件'],
        [plain, 'en', 'Test message from Acme'],
      ]
      const tenant = await seedTenant(parley, { name: 'Acme' })
      for (const [server, lang, subject] of cases) {
        const fields = server === plain ? { user: '', password: '' } : {}
        await expectOk(tenant.call('PUT', '/v1/tenant/settings/smtp', smtpOf(server, fields)))
        const sent = await test(tenant, 'ada@people.example', { 'accept-language': lang })
        expect([sent.status, sent.text]).toEqual([204, ''])
        const mail = server.mails.at(-1)
        expect(mail).toMatchObject({
          from: 'post@acme.example',
          to: ['ada@people.example'],
          secure: server !== plain,
          user: server === plain ? undefined : MAIL_USER,
        })
        expect(mail && subjectOf(mail)).toBe(subject)
        expect(mail && plainText(mail)).toContain('Acme')
        expect(mail && htmlText(mail)).toContain('<!doctype html>')
        expect(mail?.source).toMatch(/^From: "?Acme"? <post@acme\.example>\r$/m)
      }
    })

    it('never gives the password out, neither in answers nor in the audit trail nor in the database', async () => {
      const tenant = await seedTenant(parley)
      const put = await expectOk(
        tenant.call(
          'PUT',
          '/v1/tenant/settings/smtp',
          smtpOf(implicit, { password: 'S3cret-Horse' }),
        ),
      )
      expect(put.json.smtp).toEqual({
        host: '127.0.0.1',
        port: implicit.port,
        user: MAIL_USER,
        from_addr: 'post@acme.example',
        starttls: false,
        has_password: true,
      })
      const entry = await lastAudit(tenant)
      expect(entry).toMatchObject({
        entity: 'smtp',
        after: { host: '127.0.0.1', password: { set: true }, user: { set: true } },
      })
      const { DB } = await parley.worker.getEnv()
      const { results } = await DB.prepare('SELECT * FROM tenant_smtp WHERE tenant_id = ?')
        .bind(tenant.id)
        .all()
      const seen = JSON.stringify([put.json, entry, results])
      expect(seen).not.toContain('S3cret-Horse')
      expect(JSON.stringify(entry)).not.toContain('post@')
    })

    it('uses a stored password for the host it was saved for, and for no other', async () => {
      const tenant = await seedTenant(parley)
      await expectOk(tenant.call('PUT', '/v1/tenant/settings/smtp', smtpOf(implicit)))
      const kept = await expectOk(
        tenant.call('PUT', '/v1/tenant/settings/smtp', smtpOf(startTls, { password: undefined })),
      )
      expect(kept.json.smtp.has_password).toBe(true)
      expect((await test(tenant)).status).toBe(204)
      const moved = await expectOk(
        tenant.call('PUT', '/v1/tenant/settings/smtp', {
          ...smtpOf(startTls, { password: undefined }),
          host: 'smtp.elsewhere.example',
          port: 587,
        }),
      )
      expect(moved.json.smtp).toMatchObject({ host: 'smtp.elsewhere.example', has_password: false })
      const back = await expectOk(
        tenant.call('PUT', '/v1/tenant/settings/smtp', smtpOf(startTls, { password: undefined })),
      )
      expect(back.json.smtp.has_password).toBe(false)
    })

    it('two writers at once: no password is lost, and the trail ends with what is stored', async () => {
      const tenant = await seedTenant(parley)
      const put = (path: string, body: unknown) =>
        expectOk(tenant.call('PUT', `/v1/tenant/${path}`, body))
      const without = smtpOf(implicit, { password: undefined })
      for (let round = 0; round < 3; round++) {
        await put('settings/smtp', { host: '' })
        await put('settings/smtp', without)
        await Promise.all([
          put('settings/smtp', smtpOf(implicit)),
          put('settings/smtp', { ...without, from_addr: 'news@acme.example' }),
          put('oauth/google', { client_id: `round-${round}`, client_secret: 'secret' }),
          put('oauth/google/enabled', { enabled: round % 2 === 0 }),
        ])
        const { smtp, oauth } = (await tenant.call('GET', '/v1/tenant/settings')).json
        expect(smtp.has_password).toBe(true)
        const [last] = (await tenant.call('GET', '/v1/tenant/audit?entity=oauth')).json.items
        const { client_id, enabled } = oauth[0]
        expect(last.after).toMatchObject({ client_id, enabled })
      }
    })

    it('says in one fixed text that a test failed, and whether there is anything to test', async () => {
      const tenant = await seedTenant(parley)
      const none = await test(tenant)
      expect([none.status, none.json]).toEqual([409, { detail: 'SMTP is not configured' }])
      const failed = { detail: 'The test message could not be sent', code: 'smtp_failed' }
      await tenant.call('PUT', '/v1/tenant/settings/smtp', smtpOf(implicit, { password: 'wrong' }))
      const wrong = await test(tenant)
      expect([wrong.status, wrong.json]).toEqual([502, failed])
      await tenant.call('PUT', '/v1/tenant/settings/smtp', {
        ...smtpOf(implicit),
        host: 'smtp.elsewhere.example',
        port: 465,
      })
      const unreachable = await test(tenant)
      expect([unreachable.status, unreachable.json]).toEqual([502, failed])
      await tenant.call('PUT', '/v1/tenant/settings/smtp', smtpOf(implicit))
      implicit.refuseWith('550 5.1.1 no such box ada@people.example')
      const refused = await test(tenant)
      implicit.refuseWith(null)
      expect([refused.status, refused.json]).toEqual([502, failed])
      // As a form sends it whose fields were all emptied.
      const emptied = {
        host: '',
        port: 0,
        user: '',
        from_addr: '',
        password: null,
        starttls: false,
      }
      const { json } = await expectOk(tenant.call('PUT', '/v1/tenant/settings/smtp', emptied))
      expect(json.smtp).toBeNull()
      expect((await tenant.call('GET', '/v1/tenant/settings')).json.smtp).toBe(null)
      expect((await test(tenant)).status).toBe(409)
      for (const to of [
        '',
        'a@b.example,c@d.example',
        'a@b.example\r\nBcc: c@d.example',
        'nobody',
      ]) {
        expect((await test(tenant, to)).status).toBe(422)
      }
      expect((await tenant.call('POST', '/v1/tenant/settings/smtp/test')).json.detail[0]).toEqual({
        type: 'missing',
        loc: ['query', 'to'],
        msg: 'Field required',
      })
    })

    it('refuses hosts, ports and values that may not be used', async () => {
      const tenant = await seedTenant(parley)
      const put = (fields: object) =>
        tenant.call('PUT', '/v1/tenant/settings/smtp', { ...smtpOf(implicit), ...fields })
      const hosts = [
        'localhost',
        '127.0.0.1',
        '10.0.0.8',
        '[::1]',
        'smtp',
        'mail.internal',
        'a.local',
        'x y.example',
        'http://a.example',
      ]
      for (const host of hosts) {
        const { status, json } = await put({ host, port: 465 })
        expect([host, status, json.detail[0].msg]).toEqual([host, 422, 'URL is not allowed'])
      }
      for (const fields of [
        { host: 'smtp.acme.example', port: 25 },
        { host: 'smtp.acme.example', port: 0 },
        { user: 'a\r\nb' },
        { password: 'a\0b' },
        { password: 'é'.repeat(500) },
        { from_addr: 'a@b.example\r\nBcc: x@y.example' },
        { from_addr: 'nobody' },
        { starttls: 'maybe' },
        { host: 5 },
      ]) {
        expect([fields, (await put(fields)).status]).toEqual([fields, 422])
      }
      expect((await tenant.call('GET', '/v1/tenant/settings')).json.smtp).toBe(null)
    })
  })

  describe('logo', () => {
    const upload = (tenant: SeededTenant, bytes: Uint8Array, name = 'logo.png') => {
      const form = new FormData()
      form.set('file', new File([bytes as Uint8Array<ArrayBuffer>], name, { type: 'text/html' }))
      return tenant.call('POST', '/v1/tenant/settings/logo', form)
    }
    const pathOf = (url: string) => new URL(url).pathname

    it('is served with our type, in a sandbox, and only while it is shown', async () => {
      const tenant = await seedTenant(parley)
      const { json } = await expectOk(upload(tenant, PNG, 'evil.html'))
      const first = await parley.call('GET', pathOf(json.logo_url))
      expect(first.status).toBe(200)
      expect(Object.fromEntries(first.headers)).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
      })
      expect((await tenant.call('GET', '/v1/tenant/settings')).json.logo_url).toBe(json.logo_url)
      expect(await lastAudit(tenant)).toMatchObject({
        entity: 'logo',
        after: { logo: { set: true } },
      })
      const second = await expectOk(upload(tenant, makePng(9, 9)))
      expect(second.json.logo_url).not.toBe(json.logo_url)
      expect((await parley.call('GET', pathOf(json.logo_url))).status).toBe(404)
      const other = await seedTenant(parley)
      const foreign = pathOf(second.json.logo_url).replace(tenant.id, other.id)
      expect((await parley.call('GET', foreign)).status).toBe(404)
      expect((await parley.call('GET', pathOf(second.json.logo_url))).status).toBe(200)
    })

    it('takes pictures by what they are, not by what they are called', async () => {
      const tenant = await seedTenant(parley)
      const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')
      const refused = await upload(tenant, svg, 'logo.png')
      expect([refused.status, refused.json]).toEqual([415, { detail: 'Unsupported file type' }])
      expect((await upload(tenant, new TextEncoder().encode('GIF89a'.padEnd(40)))).status).toBe(415)
      expect((await upload(tenant, PNG.subarray(0, 40))).status).toBe(422)
      expect((await upload(tenant, makePng(5000, 10))).status).toBe(422)
      const large = await upload(tenant, new Uint8Array(2 ** 20 + 1))
      expect([large.status, large.json]).toEqual([413, { detail: 'Request body too large' }])
      expect((await tenant.call('POST', '/v1/tenant/settings/logo', {})).status).toBe(422)
      expect((await tenant.call('GET', '/v1/tenant/settings')).json.logo_url).toBe(null)
    })
  })

  describe('sign-in providers', () => {
    it('keeps credentials and the switch apart, and gives no secret out', async () => {
      const tenant = await seedTenant(parley)
      const google = async () =>
        (await tenant.call('GET', '/v1/tenant/settings')).json.oauth.find(
          (one: { provider: string }) => one.provider === 'google',
        )
      const methods = async () =>
        (await parley.call('GET', `/auth/methods?tenant_id=${tenant.id}`)).json.oauth
      const off = await tenant.call('PUT', '/v1/tenant/oauth/google/enabled', { enabled: false })
      expect([off.status, off.text]).toEqual([204, ''])
      const put = await tenant.call('PUT', '/v1/tenant/oauth/google', {
        client_id: 'client-1',
        client_secret: 'top-secret-value',
      })
      expect([put.status, put.text]).toEqual([204, ''])
      expect(await google()).toEqual({
        provider: 'google',
        client_id: 'client-1',
        configured: true,
        enabled: false,
      })
      expect(await methods()).toEqual([])
      await tenant.call('PUT', '/v1/tenant/oauth/google/enabled', { enabled: true })
      expect(await methods()).toEqual(['google'])
      const entry = await lastAudit(tenant)
      expect(entry).toMatchObject({
        entity: 'oauth',
        entity_name: 'google',
        before: { enabled: false },
        after: { enabled: true, client_secret: { set: true } },
      })
      const { DB } = await parley.worker.getEnv()
      const { results } = await DB.prepare('SELECT * FROM tenant_oauth').all()
      const trail = await tenant.call('GET', '/v1/tenant/audit')
      expect(JSON.stringify(results) + trail.text).not.toContain('top-secret-value')
      expect((await tenant.call('DELETE', '/v1/tenant/oauth/google')).status).toBe(204)
      expect(await google()).toMatchObject({ client_id: null, configured: false, enabled: true })
      expect(await methods()).toEqual([])
    })

    it('clearing what was never set changes nothing: the provider is not switched on by it', async () => {
      const tenant = await seedTenant(parley)
      const read = async () => (await tenant.call('GET', '/v1/tenant/settings')).json.oauth
      const before = await read()
      const { status } = await tenant.call('DELETE', '/v1/tenant/oauth/github')
      expect([status, await read()]).toEqual([204, before])
      expect((await lastAudit(tenant)).entity).not.toBe('oauth')
    })

    it('refuses unknown providers and incomplete credentials', async () => {
      const tenant = await seedTenant(parley)
      const put = (path: string, body: unknown) =>
        tenant.call('PUT', `/v1/tenant/oauth/${path}`, body)
      const good = { client_id: 'a', client_secret: 'b' }
      expect((await put('myspace', good)).status).toBe(422)
      expect((await put('google', { client_id: 'a' })).json.detail[0]).toMatchObject({
        type: 'missing',
        loc: ['body', 'client_secret'],
      })
      expect((await put('google', { ...good, client_secret: '' })).status).toBe(422)
      expect((await put('google', { ...good, client_secret: 'a\nb' })).status).toBe(422)
      expect((await put('github/enabled', { enabled: 'perhaps' })).status).toBe(422)
    })
  })
})
