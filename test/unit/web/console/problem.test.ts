import { describe, expect, it } from 'vitest'
import { createApi, queryText } from '../../../../src/web/console/api/create-api'
import { ApiProblem, isBeyondKey, readProblem } from '../../../../src/web/console/api/problem'
import { findScreenIn, matchPath } from '../../../../src/web/console/match-path'
import { isToldAtFields } from '../../../../src/web/console/parts/field-error'

describe('what the API answers to the console', () => {
  it('of a 422 says what is wrong at which field', async () => {
    const detail = [
      { type: 'missing', loc: ['body', 'name'], msg: 'Field required' },
      { type: 'string_type', loc: ['body', 'menu_items', 0], msg: 'Input should be a string' },
    ]
    const headers = { 'X-Request-Id': 'r1' }
    const problem = await readProblem(Response.json({ detail }, { status: 422, headers }))
    expect(problem).toMatchObject({ status: 422, requestId: 'r1', detail: 'name: Field required' })
    expect(problem.fields).toEqual([
      { path: 'name', message: 'Field required' },
      { path: 'menu_items.0', message: 'Input should be a string' },
    ])
  })

  it('of a field says the rule without its mark, and knows a key that may only look', async () => {
    const detail = ['Value error, at least 3 letters', 'agent_name may not change'].map((msg) => ({
      type: 'value_error',
      loc: ['body', 'alias'],
      msg,
    }))
    const wrong = await readProblem(Response.json({ detail }, { status: 422 }))
    expect(wrong).toMatchObject({
      detail: 'alias: At least 3 letters',
      fields: [{ message: 'At least 3 letters' }, { message: 'agent_name may not change' }],
    })
    expect(isBeyondKey(wrong)).toBe(false)
    const refusal = { detail: 'This key lacks the scope manage' }
    expect(isBeyondKey(await readProblem(Response.json(refusal, { status: 403 })))).toBe(true)
  })

  it('is told at its fields only where each of them is on the screen', () => {
    const faults = [
      { path: 'menu_items.0', message: 'too long' },
      { path: 'alias', message: 'taken' },
    ]
    expect(isToldAtFields(faults, new Set(['menu_items', 'alias']))).toBe(true)
    expect(isToldAtFields(faults, new Set(['menu', 'alias']))).toBe(false)
    expect(isToldAtFields([], new Set(['alias']))).toBe(false)
  })

  it('of a refusal gives words, code and waiting time, and of what is no JSON the status', async () => {
    const headers = { 'Retry-After': '7' }
    const body = { detail: 'Too many requests', code: 'rate' }
    const busy = await readProblem(Response.json(body, { status: 429, headers }))
    expect(busy).toMatchObject({ detail: 'Too many requests', code: 'rate', waitS: 7, fields: [] })
    const broken = await readProblem(new Response('<html>', { status: 502 }))
    expect(broken).toMatchObject({ status: 502, detail: '502', code: null, requestId: null })
  })

  it('leaves out of the query what is not set', () => {
    expect(queryText({ q: 'a b', cursor: null, agent: '', page: 0, all: false })).toBe(
      '?q=a+b&page=0&all=false',
    )
    expect(queryText({})).toBe('')
  })

  it('where nothing is reached is a problem too, and a key that ended is told once it is refused', async () => {
    const asked = { key: 'pk_1', lang: 'en' as const, onRefusedKey: () => undefined }
    const real = globalThis.fetch
    let refused = 0
    try {
      globalThis.fetch = () => Promise.reject(new TypeError('network'))
      await expect(createApi(asked).get('/v1/agents')).rejects.toMatchObject({ status: 0 })
      globalThis.fetch = async () => Response.json({ detail: 'Invalid API key' }, { status: 401 })
      const api = createApi({ ...asked, onRefusedKey: () => refused++ })
      await expect(api.get('/v1/agents')).rejects.toBeInstanceOf(ApiProblem)
      expect(refused).toBe(1)
      globalThis.fetch = async () => new Response(null, { status: 204 })
      expect(await api.del('/v1/agents/desk')).toBeUndefined()
    } finally {
      globalThis.fetch = real
    }
  })
})

describe('a call that creates', () => {
  it('is the same one when it is made again after its answer was lost, and else another', async () => {
    const real = globalThis.fetch
    const keys: (string | null)[] = []
    const answers = ['lost', 'ok', 'ok', 'refused', 'ok', 'lost', 'ok']
    const sent = ['a', 'a', 'a', 'b', 'b', 'c', 'd']
    try {
      globalThis.fetch = async (_, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'))
        const answer = answers[keys.length - 1]
        if (answer === 'lost') throw new TypeError('network')
        return Response.json({ detail: 'no' }, { status: answer === 'refused' ? 409 : 200 })
      }
      const api = createApi({ key: 'pk_1', lang: 'en', onRefusedKey: () => undefined })
      for (const name of sent) await api.post('/v1/agents', { name }).catch(() => undefined)
    } finally {
      globalThis.fetch = real
    }
    expect(keys[1]).toBe(keys[0])
    expect(new Set(keys).size).toBe(6)
    for (const key of keys) expect(key).toMatch(/^[\d-]{7,43}$/)
  })

  it('is the same one too where a gateway answered, or where the first is still being done', async () => {
    const real = globalThis.fetch
    const keys: (string | null)[] = []
    const statuses = [504, 409, 200, 200]
    try {
      globalThis.fetch = async (_, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'))
        return Response.json({ detail: 'no' }, { status: statuses[keys.length - 1] ?? 200 })
      }
      const api = createApi({ key: 'pk_1', lang: 'en', onRefusedKey: () => undefined })
      for (const _ of statuses) await api.post('/v1/agents', { name: 'a' }).catch(() => undefined)
    } finally {
      globalThis.fetch = real
    }
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(keys[3]).not.toBe(keys[0])
  })
})

describe('the path of a screen', () => {
  it('gives its parameters decoded, and fits as a whole or not at all', () => {
    expect(matchPath('/agents/{name}/share', '/agents/front%20desk/share')).toEqual({
      name: 'front desk',
    })
    for (const path of ['/agents', '/agents//share', '/agents/a/share/b', '/agents/%E0%A4/share'])
      expect(matchPath('/agents/{name}/share', path)).toBeNull()
  })

  it('is the first of the list that fits', () => {
    const screens = [{ path: '/agents/new' }, { path: '/agents/{name}' }]
    expect(findScreenIn(screens, '/agents/new')).toEqual({ entry: screens[0], params: {} })
    expect(findScreenIn(screens, '/agents/x')?.params).toEqual({ name: 'x' })
    expect(findScreenIn(screens, '/nothing/there')).toBeNull()
  })
})
