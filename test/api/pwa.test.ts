import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MIB } from '../../src/config/limits'
import { LANGUAGES } from '../../src/config/names'
import { type Parley, startParley } from '../support/harness'
import { makeGif, makeIco, makeJpeg, makePng, makeWebp } from '../support/image-bytes'
import { makeBomb, makeLossy, makePicture, readPng } from '../support/pictures'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

let parley: Parley
let tenant: SeededTenant

beforeAll(async () => {
  parley = await startParley({}, { publicFiles: true })
  tenant = await seedTenant(parley)
  await seedAgent(tenant, 'desk')
  await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'help-desk' }))
})
afterAll(() => parley.close())

const NONE = {
  favicon_url: null,
  icon192_url: null,
  icon512_url: null,
  icon_maskable_url: null,
}

function formOf(bytes: Uint8Array<ArrayBuffer>, name = 'icon.png'): FormData {
  const form = new FormData()
  form.set('file', new File([bytes], name))
  return form
}

const upload = (bytes: Uint8Array<ArrayBuffer>, agent = 'desk', name?: string) =>
  tenant.call('POST', `/v1/agents/${agent}/pwa/icon`, formOf(bytes, name))

/** The stored picture behind a URL of the settings. */
async function fetchPng(url: string) {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  return readPng(new Uint8Array(await response.arrayBuffer()))
}

async function newest() {
  const { json } = await expectOk(tenant.call('GET', '/v1/tenant/audit?entity=agent_app'))
  return json.items[0]
}

describe('settings', () => {
  it('are off without an icon until changed, and every change stands in the audit trail', async () => {
    await seedAgent(tenant, 'plain')
    const path = '/v1/agents/plain/pwa'
    expect((await tenant.call('GET', path)).json).toEqual({ install_prompt: 'off', ...NONE })
    for (const install_prompt of ['auto', 'manual', 'off'] as const) {
      const { json } = await expectOk(tenant.call('PATCH', path, { install_prompt }))
      expect(json).toEqual({ install_prompt, ...NONE })
      expect((await tenant.call('GET', path)).json).toEqual(json)
      expect(await newest()).toMatchObject({
        action: 'update',
        entity_name: 'plain',
        after: { install_prompt, icon: { set: false } },
      })
    }
    await expectOk(tenant.call('PATCH', path, { install_prompt: 'auto' }))
    expect((await tenant.call('PATCH', path, {})).json.install_prompt).toBe('auto')
    expect((await tenant.call('PATCH', path, { install_prompt: null })).json.install_prompt).toBe(
      'off',
    )
    expect(
      (await tenant.call('PATCH', path, { install_prompt: 'always' })).json.detail[0],
    ).toMatchObject({ type: 'literal_error', loc: ['body', 'install_prompt'] })
  })

  it('survive a new name and a new state of the agent, and go with it', async () => {
    await seedAgent(tenant, 'short-lived')
    const { json } = await expectOk(upload(makePicture(512), 'short-lived'))
    await expectOk(tenant.call('PATCH', '/v1/agents/short-lived', { name: 'renamed' }))
    expect((await tenant.call('GET', '/v1/agents/renamed/pwa')).json).toEqual(json)
    await expectOk(tenant.call('DELETE', '/v1/agents/renamed'))
    expect((await fetch(json.icon512_url)).status).toBe(404)
    const { FILES } = await parley.worker.getEnv()
    const key = new URL(json.icon512_url).pathname.slice(1)
    await waitFor(async () => ((await FILES.head(key)) === null ? true : null))
    await seedAgent(tenant, 'renamed')
    expect((await tenant.call('GET', '/v1/agents/renamed/pwa')).json.icon512_url).toBeNull()
  })
})

describe('the icon', () => {
  it('becomes four pictures of the right size, with colours and transparency where they were', async () => {
    const { json } = await expectOk(upload(makePicture(700)))
    const small = await fetchPng(json.icon192_url)
    const large = await fetchPng(json.icon512_url)
    const mask = await fetchPng(json.icon_maskable_url)
    const favicon = await fetchPng(json.favicon_url)
    expect([small.width, small.height]).toEqual([192, 192])
    expect([large.width, large.height]).toEqual([512, 512])
    expect([mask.width, mask.height]).toEqual([512, 512])
    expect([favicon.width, favicon.height]).toEqual([48, 48])
    for (const picture of [small, large, favicon]) {
      expect(picture.at(0.1, 0.1)).toEqual([255, 0, 0, 255])
      expect(picture.at(0.9, 0.1)).toEqual([0, 0, 255, 255])
      expect(picture.at(0.1, 0.9)[3]).toBe(0)
    }
    // Every mask shows the inner 80 %; outside of it nothing of the picture stands, and nothing is transparent.
    expect(mask.at(0.15, 0.15)).toEqual([255, 0, 0, 255])
    expect(mask.at(0.85, 0.15)).toEqual([0, 0, 255, 255])
    for (const [x, y] of [
      [0.02, 0.02],
      [0.98, 0.02],
      [0.5, 0.98],
      [0.15, 0.8],
    ] as const) {
      expect(mask.at(x, y)[3]).toBe(255)
    }
    expect(await newest()).toMatchObject({ after: { icon: { set: true } } })
  })

  it.each([
    [{ type: 2 }, [255, 0, 0]],
    [{ type: 2, bits: 16 }, [255, 0, 0]],
    [{ type: 6, bits: 16 }, [255, 0, 0]],
    [{ type: 0 }, [255, 255, 255]],
    [{ type: 0, bits: 16 }, [255, 255, 255]],
    [{ type: 0, bits: 1 }, [255, 255, 255]],
    [{ type: 0, bits: 4 }, [255, 255, 255]],
    [{ type: 4 }, [255, 255, 255]],
    [{ type: 3 }, [255, 0, 0]],
    [{ type: 3, bits: 1 }, [255, 0, 0]],
    [{ type: 3, bits: 2 }, [255, 0, 0]],
  ] as const)('is read from a PNG of the form %j', async (form, colour) => {
    const { json } = await expectOk(upload(makePicture(515, form)))
    const large = await fetchPng(json.icon512_url)
    expect(large.at(0.1, 0.1)).toEqual([...colour, 255])
  })

  it.each(['jpeg', 'webp'] as const)(
    'is read from a %s, at the sizes of both ends',
    async (kind) => {
      for (const side of [512, 2048]) {
        const { json } = await expectOk(upload(await makeLossy(kind, side), 'desk', 'photo'))
        const large = await fetchPng(json.icon512_url)
        expect([large.width, large.height]).toEqual([512, 512])
        const [red, , , alpha] = large.at(0.2, 0.5)
        expect(red).toBeGreaterThan(240)
        expect(alpha).toBe(255)
        expect(large.at(0.8, 0.5)[2]).toBeGreaterThan(240)
      }
    },
  )

  it('of an older state is gone once another is shown; the settings keep the rest', async () => {
    await expectOk(tenant.call('PATCH', '/v1/agents/desk/pwa', { install_prompt: 'manual' }))
    const first = (await expectOk(upload(makePicture(512)))).json
    const second = (await expectOk(upload(makePicture(512)))).json
    expect(second.icon192_url).not.toBe(first.icon192_url)
    expect(second.install_prompt).toBe('manual')
    expect((await fetch(first.icon192_url)).status).toBe(404)
    const cleared = await expectOk(tenant.call('DELETE', '/v1/agents/desk/pwa/icon'))
    expect(cleared.json).toEqual({ install_prompt: 'manual', ...NONE })
    expect((await tenant.call('DELETE', '/v1/agents/desk/pwa/icon')).status).toBe(200)
    expect((await fetch(second.icon192_url)).status).toBe(404)
  })

  it('is served only under its own tenant, and not while that is suspended', async () => {
    const other = await seedTenant(parley)
    await seedAgent(other, 'desk')
    const { json } = await expectOk(
      other.call('POST', '/v1/agents/desk/pwa/icon', formOf(makePicture(512))),
    )
    const url: string = json.icon192_url
    expect((await fetch(url.replace(other.id, tenant.id))).status).toBe(404)
    expect((await fetch(url.replace('192.png', '193.png'))).status).toBe(404)
    expect((await fetch(url.replace('192.png', '..%2f..%2f192.png'))).status).toBe(404)
    await expectOk(parley.admin('PATCH', `/v1/admin/tenants/${other.id}`, { status: 'suspended' }))
    expect((await fetch(url)).status).toBe(404)
  })
})

describe('bad pictures', () => {
  const SVG = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')
  const HTML = new TextEncoder().encode('<!doctype html><script>alert(1)</script>')

  it('of other types are 415', async () => {
    for (const bytes of [
      SVG,
      HTML,
      makeGif(512, 512),
      makeIco([makePng(48, 48)]),
      new Uint8Array(0),
    ]) {
      const answer = await upload(new Uint8Array(bytes), 'desk', 'icon.png')
      expect([answer.status, answer.json]).toEqual([415, { detail: 'Unsupported file type' }])
    }
  })

  it('of other measures are refused by their header, before anything is unpacked', async () => {
    for (const bytes of [
      makePng(512, 513),
      makePng(511, 511),
      makePng(2049, 2049),
      makePng(60_000, 60_000),
      makeJpeg(65_535, 65_535),
      makeWebp('VP8X', 16_777_215, 16_777_215),
      makeWebp('VP8L', 16_000, 16_000),
    ]) {
      const answer = await upload(bytes)
      expect(answer.status).toBe(422)
      expect(answer.json.detail[0]).toMatchObject({ type: 'value_error', loc: ['body', 'file'] })
      expect(answer.json.detail[0].msg).not.toContain('damaged')
    }
  })

  it('that unpack to more or less than they say, or to nothing, are refused', async () => {
    const whole = makePicture(600)
    const torn = await makeLossy('webp', 600)
    const huge = deflateSync(Buffer.alloc(200 * MIB))
    const profile = Buffer.concat([Buffer.from('p\0\0', 'latin1'), huge])
    for (const [what, bytes, status] of [
      ['bomb', makeBomb(512, 300 * MIB), 422],
      ['too little', makePng(600, 600), 422],
      ['torn', whole.slice(0, whole.length - 40), 422],
      ['torn webp', torn.slice(0, 60), 422],
      ['header of a jpeg', makeJpeg(600, 600), 422],
      ['header of a webp', makeWebp('VP8 ', 600, 600), 422],
      // What does not belong to the pixels is not unpacked at all.
      ['bomb in a profile', makePicture(512, { chunks: { iCCP: profile } }), 200],
    ] as const) {
      const answer = await upload(bytes)
      expect([what, answer.status]).toEqual([what, status])
    }
    expect((await tenant.call('GET', '/v1/agents/desk/pwa')).status).toBe(200)
  })

  it('with one byte changed anywhere never break the Worker', async () => {
    const [jpeg, webp, png] = [
      await makeLossy('jpeg', 512),
      await makeLossy('webp', 512),
      makePicture(512),
    ]
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed % below
    }
    for (const bytes of [jpeg, webp, png]) {
      for (let i = 0; i < 12; i++) {
        const bad = bytes.slice()
        for (let n = 0; n < 4; n++) bad[random(bad.length)] = random(256)
        expect([200, 415, 422]).toContain((await upload(bad)).status)
      }
      expect((await upload(bytes)).status).toBe(200)
    }
  })

  it('above 1 MB are 413, and a form without a file is 422', async () => {
    const large = new Uint8Array(MIB + 1)
    large.set(makePicture(512))
    expect((await upload(large)).status).toBe(413)
    const form = new FormData()
    form.set('other', 'x')
    expect((await tenant.call('POST', '/v1/agents/desk/pwa/icon', form)).status).toBe(422)
    expect(
      (await tenant.call('POST', '/v1/agents/nobody/pwa/icon', formOf(makePicture(512)))).status,
    ).toBe(404)
  })
})

describe('the page as an app', () => {
  const home = () => `/a/${tenant.alias}/help-desk`

  it('has a manifest in every language, with the tenant’s icons and colours', async () => {
    await expectOk(tenant.call('PATCH', '/v1/tenant/settings', { profile: { accent: '#7a1fa2' } }))
    const { json: settings } = await expectOk(upload(makePicture(512)))
    for (const lang of LANGUAGES) {
      const answer = await parley.call('GET', `${home()}/manifest.webmanifest?lang=${lang}`)
      expect(answer.headers.get('content-type')).toBe('application/manifest+json')
      expect(answer.json).toMatchObject({
        id: home(),
        start_url: home(),
        scope: home(),
        name: 'desk',
        short_name: 'desk',
        lang,
        dir: lang === 'ar' ? 'rtl' : 'ltr',
        display: 'standalone',
        background_color: '#F6F7F5',
        theme_color: '#7a1fa2',
      })
      expect(answer.json.description).toContain('desk')
      const { origin } = parley.url
      expect(answer.json.icons.map((icon: { src: string }) => origin + icon.src)).toEqual([
        settings.icon192_url,
        settings.icon512_url,
        settings.icon_maskable_url,
      ])
    }
    const page = await parley.call('GET', `${home()}?lang=es`)
    expect(page.text).toContain(
      `<link rel="manifest" href="${home()}/manifest.webmanifest?lang=es">`,
    )
    expect(page.text).toContain(`<link rel="icon" type="image/png" href="/icons/${tenant.id}/`)
    expect(page.text).toContain('<link rel="apple-touch-icon"')
    await expectOk(tenant.call('DELETE', '/v1/agents/desk/pwa/icon'))
    const bare = await parley.call('GET', `${home()}/manifest.webmanifest`)
    expect(bare.json.icons).toEqual([
      {
        src: expect.stringMatching(/^\/assets\/icon-\w+\.svg$/),
        sizes: 'any',
        type: 'image/svg+xml',
        purpose: 'any',
      },
    ])
  })

  it('has a worker that controls this page, from files that exist', async () => {
    const answer = await parley.call('GET', `${home()}/sw.js`)
    expect(answer.headers.get('content-type')).toContain('text/javascript')
    expect(answer.headers.get('service-worker-allowed')).toBe(home())
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const facts = JSON.parse(/self\.PARLEY = (.*)/.exec(answer.text)?.[1] ?? 'null')
    expect(facts.home).toBe(home())
    const code = /importScripts\("([^"]+)"\)/.exec(answer.text)?.[1] ?? ''
    for (const file of [...facts.shell, code]) {
      expect((await parley.call('GET', file)).status).toBe(200)
    }
  })

  it('is the neutral 404 for what has no page', async () => {
    await seedAgent(tenant, 'draft', { published: false })
    await expectOk(tenant.call('PUT', '/v1/agents/draft/alias', { alias: 'a-draft' }))
    for (const file of ['manifest.webmanifest', 'sw.js']) {
      for (const alias of ['a-draft', 'nobody']) {
        const answer = await parley.call('GET', `/a/${tenant.alias}/${alias}/${file}`)
        expect(answer.status).toBe(404)
        expect(answer.headers.get('content-type')).toContain('text/html')
      }
    }
  })
})
