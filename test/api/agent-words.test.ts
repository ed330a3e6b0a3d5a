import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '../../src/config/names'
import { type Parley, send, sharedParley } from '../support/harness'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'

const WORDS = {
  display_name: 'Front desk',
  greeting: 'Welcome.',
  menu_items: ['Opening hours'],
  no_match_reply: 'We do not know that.',
}
const translations = {
  fr: {
    display_name: 'Accueil',
    greeting: 'Bienvenue.',
    menu_items: ['refunds'],
    no_match_reply: 'Nous ne le savons pas.',
  },
  es: { display_name: 'Recepción' },
  ar: null,
} satisfies Partial<Record<Language, unknown>>

describe('what people read of an agent (#8.25)', () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    const skill = { description: 'Refunds', menu_label: 'Remboursements', menu_prompt: 'Combien ?' }
    await expectOk(tenant.call('POST', '/v1/skills/refunds', skill))
    await seedAgent(tenant, 'desk', {
      ...WORDS,
      translations,
      knowledge_bases: ['guide'],
      grounding_required: true,
    })
    await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'front-desk' }))
  })
  afterAll(() => parley.close())

  const read = async (path: string, lang: Language) =>
    (
      await send(parley.url, 'GET', `/a/${tenant.alias}/front-desk${path}`, {
        headers: { 'accept-language': lang },
      })
    ).text

  it('is on the page and in the manifest in the visitor’s language, else as the field says', async () => {
    for (const lang of LANGUAGES) {
      const name = lang === 'fr' ? 'Accueil' : lang === 'es' ? 'Recepción' : 'Front desk'
      const html = await read('', lang)
      expect([
        lang,
        /<title>(.*) · /.exec(html)?.[1],
        /<h1[^>]*>(.*)<\/h1>/.exec(html)?.[1],
      ]).toEqual([lang, name, name])
      expect(html).toContain(lang === 'fr' ? '>Bienvenue.<' : '>Welcome.<')
      const manifest = JSON.parse(await read('/manifest.webmanifest', lang))
      expect([lang, manifest.name]).toEqual([lang, name])
    }
  })

  describe('its name, wherever a person reads it, never the one that programs use', () => {
    const NAMES: [Language, string][] = [
      ['en', 'Help point'],
      ['zh', '服务台'],
      ['ar', 'الاستقبال'],
      ['ru', 'Help point'],
    ]
    const header = (lang: Language) => ({ 'accept-language': lang })
    const page = (path: string, part: RegExp) => async (lang: Language) => {
      const { text } = await send(parley.url, 'GET', path, { headers: header(lang) })
      return part.exec(text)?.[1]
    }
    const manifest = (field: string) => async (lang: Language) => {
      const path = `/a/${tenant.alias}/help-point/manifest.webmanifest`
      return (await send(parley.url, 'GET', path, { headers: header(lang) })).json[field]
    }
    const mine = async (path: string, lang: Language) =>
      (await expectOk(tenant.as('noor', 'GET', path, undefined, header(lang)))).json
    const remind = {
      text: 'Call',
      due_at: new Date(Date.now() + 86_400_000).toISOString(),
      agent: 'help-7f3',
    }

    beforeAll(async () => {
      await seedAgent(tenant, 'help-7f3', {
        display_name: 'Help point',
        translations: {
          zh: { display_name: '服务台' },
          ar: { display_name: 'الاستقبال' },
        },
      })
      await expectOk(tenant.call('PUT', '/v1/agents/help-7f3/alias', { alias: 'help-point' }))
      await expectOk(tenant.as('noor', 'POST', '/me/reminders', remind))
      const said = { message: 'My name is Noor.', agent: 'help-7f3' }
      await expectOk(tenant.as('noor', 'POST', '/v1/chat', said))
      await waitFor(async () => ((await mine('/me/remembered', 'en')).length > 0 ? true : null))
    })

    it.each<[string, (lang: Language) => Promise<unknown>]>([
      ['the title of its page', (lang) => page(PAGE(), /<title>(.*) · /)(lang)],
      ['the heading of its page', (lang) => page(PAGE(), /<h1[^>]*>(.*)<\/h1>/)(lang)],
      ['what a link to it shows', (lang) => page(PAGE(), /og:title" content="(.*) · /)(lang)],
      ['the title of the widget’s frame', (lang) => page(FRAME(), /<title>(.*) · /)(lang)],
      ['the heading of the widget’s frame', (lang) => page(FRAME(), /<h1[^>]*>(.*)<\/h1>/)(lang)],
      ['the installed app', manifest('name')],
      ['the installed app’s icon', manifest('short_name')],
      [
        'what a visitor sees first',
        async (lang) =>
          (await send(parley.url, 'GET', OPENING(), { headers: header(lang) })).json.display_name,
      ],
      [
        'a reminder that was set',
        async (lang) =>
          (await tenant.as('noor', 'POST', '/me/reminders', remind, header(lang))).json
            .agent_display_name,
      ],
      [
        'the list of reminders',
        async (lang) => (await mine('/me/reminders', lang)).items[0].agent_display_name,
      ],
      [
        'what it remembers',
        async (lang) => (await mine('/me/remembered', lang))[0].agent_display_name,
      ],
    ])('%s', async (_place, read) => {
      const shown: [Language, unknown][] = []
      for (const [lang] of NAMES) shown.push([lang, await read(lang)])
      expect(shown).toEqual(NAMES)
    })

    const PAGE = () => `/a/${tenant.alias}/help-point`
    const FRAME = () => `/widget/${tenant.id}/help-point`
    const OPENING = () => `/v1/agents/help-7f3/opening?tenant_id=${tenant.id}`
  })

  it('goes to the page in every language that was written, since a visitor may choose another one there', async () => {
    const html = await read('', 'en')
    const { agent } = JSON.parse(/id="bootstrap">([^<]*)</.exec(html)?.[1] ?? '')
    const own = { label: 'Opening hours', prompt: 'Opening hours' }
    const greetingId = expect.stringMatching(/^v1\./)
    expect(agent).toEqual({
      id: expect.any(String),
      name: 'desk',
      words: { name: 'Front desk', greeting: 'Welcome.', greetingId, menu: [own] },
      translations: {
        fr: {
          name: 'Accueil',
          greeting: 'Bienvenue.',
          greetingId,
          menu: [{ label: 'Remboursements', prompt: 'Combien ?' }],
        },
        es: { name: 'Recepción', greeting: 'Welcome.', greetingId, menu: [own] },
      },
    })
  })

  it.each([
    ['fr', 'Qui a découvert la pénicilline et dans quel laboratoire ?', 'Nous ne le savons pas.'],
    ['es', '¿Quién descubrió la penicilina y en qué laboratorio?', 'We do not know that.'],
    ['en', 'Who discovered penicillin and in which laboratory?', 'We do not know that.'],
    ['fr', 'Bonjour', 'Bienvenue.'],
    ['en', 'Hello', 'Welcome.'],
  ])('speaks in a turn: %s “%s”', async (_lang, message, said) => {
    const { json } = await tenant.as('ada', 'POST', '/v1/chat', { message, agent: 'desk' })
    expect(json.reply).toBe(said)
  })

  it('reads the language from the header where a message does not tell', async () => {
    const { json } = await tenant.as(
      'ada',
      'POST',
      '/v1/chat',
      { message: 'Xyzzy 4711?', agent: 'desk' },
      { 'accept-language': 'fr' },
    )
    expect(json.reply).toBe('Nous ne le savons pas.')
  })

  it.each([
    ['string_too_long', ['display_name'], { display_name: 'x'.repeat(81) }],
    ['string_too_short', ['display_name'], { display_name: '' }],
    ['value_error', ['display_name'], { display_name: 'two\nlines' }],
    ['value_error', ['display_name'], { display_name: '   ' }],
    ['extra_forbidden', ['translations'], { translations: { de: { greeting: 'Hallo' } } }],
    ['extra_forbidden', ['translations'], { translations: { 'zh-Hant': {} } }],
    ['dict_type', ['translations'], { translations: [] }],
    ['dict_type', ['translations', 'fr'], { translations: { fr: 'Bonjour' } }],
    [
      'string_too_long',
      ['translations', 'fr', 'display_name'],
      { translations: { fr: { display_name: 'x'.repeat(81) } } },
    ],
    [
      'string_too_long',
      ['translations', 'fr', 'greeting'],
      { translations: { fr: { greeting: 'x'.repeat(4001) } } },
    ],
    [
      'too_long',
      ['translations', 'fr', 'menu_items'],
      { translations: { fr: { menu_items: Array(9).fill('x') } } },
    ],
    [
      'string_too_long',
      ['translations', 'fr', 'menu_items', 0],
      { translations: { fr: { menu_items: ['x'.repeat(41)] } } },
    ],
    [
      'string_too_long',
      ['translations', 'fr', 'no_match_reply'],
      { translations: { fr: { no_match_reply: 'x'.repeat(4001) } } },
    ],
  ])('refuses as %s at %j', async (type, loc, body) => {
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const path = method === 'PATCH' ? '/v1/agents/desk' : '/v1/agents/refused'
      const { status, json } = await tenant.call(method, path, body)
      expect([method, status, json.detail[0]]).toEqual([
        method,
        422,
        { type, loc: ['body', ...loc], msg: expect.any(String) },
      ])
    }
    expect((await tenant.call('GET', '/v1/agents/refused')).status).toBe(404)
  })
})
