import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'

describe('documentation', () => {
  let parley: Parley

  beforeAll(async () => {
    parley = await startParley({}, { publicFiles: true })
  })
  afterAll(() => parley.close())

  it('/openapi.json is public, valid, and the same on every call', async () => {
    const first = await parley.call('GET', '/openapi.json')
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/json')
    expect((await parley.call('GET', '/openapi.json')).text).toBe(first.text)
    expect(first.json.openapi).toBe('3.1.0')
    expect(await new Validator().validate(first.json)).toMatchObject({ valid: true })
    expect(first.json.paths).toHaveProperty(['/v1/chat/stream', 'post'])
    expect(first.text).not.toContain('undefined')
  })

  it('every described GET without parameters answers as described', async () => {
    const { json } = await parley.call('GET', '/openapi.json')
    for (const [path, methods] of Object.entries<Record<string, { responses: object }>>(
      json.paths,
    )) {
      if (!methods.get || path.includes('{')) continue
      const { status } = await parley.call('GET', path)
      expect([path, Object.keys(methods.get.responses)]).toEqual([
        path,
        expect.arrayContaining([String(status)]),
      ])
    }
  })

  it('says which refusals a merge under way and a key that cannot be read lead to', async () => {
    const { json } = await parley.call('GET', '/openapi.json')
    for (const [path, method] of [
      ['/v1/manage/spaces/{sid}', 'patch'],
      ['/v1/manage/spaces/{sid}', 'delete'],
      ['/v1/tenant/privacy', 'put'],
    ] as const)
      expect(json.paths).toHaveProperty([path, method, 'responses', '409'])
  })

  it('/docs loads nothing from elsewhere, and its script and style sheet are there', async () => {
    const { status, text, headers } = await parley.call('GET', '/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).not.toMatch(/https?:\/\//)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).not.toMatch(/https?:|\*|unsafe/)
    const nonce = /script-src 'nonce-([\w-]+)'(;|$)/.exec(policy)?.[1]
    expect(text.match(/<script nonce="([^"]+)"/g)).toEqual(
      Array(3).fill(`<script nonce="${nonce}"`),
    )
    expect((await parley.call('GET', '/docs')).text).not.toContain(`nonce="${nonce}"`)
    for (const [address, type] of [
      [/src="([^"]+)"/.exec(text)?.[1] ?? '', 'javascript'],
      [/stylesheet" href="([^"]+)"/.exec(text)?.[1] ?? '', 'text/css'],
    ] as const) {
      const asset = await parley.call('GET', address)
      expect([asset.status, asset.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining(type),
      ])
      expect(asset.headers.get('cache-control')).toContain('immutable')
    }
  })
})
