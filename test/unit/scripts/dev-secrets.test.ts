import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ensureSecrets,
  FROM_ENVIRONMENT,
  listWeakSecrets,
  readVars,
  renderVars,
} from '../../../scripts/dev-secrets.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('every setting that the example explains may stand in the environment instead', () => {
  const named = readFileSync('.dev.vars.example', 'utf8').match(/^#? ?[A-Z_]+(?==)/gmu) ?? []
  const names = named.map((line) => line.replace(/^#? ?/u, ''))
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !FROM_ENVIRONMENT.test(name))).toEqual([])
})

describe('.dev.vars', () => {
  it('gets three strong secrets that only the owner can read', () => {
    const file = join(folder, '.dev.vars')
    expect(ensureSecrets(file, {})).toEqual(['ADMIN_TOKEN', 'MASTER_KEYS', 'JWT_SECRET'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const values = Object.values(readVars(file))
    expect(new Set(values).size).toBe(3)
    for (const value of values) expect(value).toMatch(/^[\w-]{43}$/)
  })

  it('does not change the second time', () => {
    const file = join(folder, '.dev.vars')
    ensureSecrets(file, {})
    const before = readFileSync(file, 'utf8')
    expect(ensureSecrets(file, { ADMIN_TOKEN: 'another' })).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('takes values from the environment and keeps what a person wrote', () => {
    const file = join(folder, '.dev.vars')
    writeFileSync(file, '# mine\nCHAT_MODEL=x')
    const ring = '{"primary":"a","keys":{"a":"AAAA"}}'
    ensureSecrets(file, { MASTER_KEYS: ring })
    expect(readFileSync(file, 'utf8').startsWith('# mine\nCHAT_MODEL=x\n')).toBe(true)
    expect(readVars(file)).toMatchObject({ CHAT_MODEL: 'x', MASTER_KEYS: ring })
  })

  it('survives its own rendering', () => {
    const file = join(folder, 'vars')
    const values = { A: 'plain-1', B: '{"a":"b c"}', C: 'http://127.0.0.1:1/v1', D: '' }
    writeFileSync(file, renderVars(values))
    expect(readVars(file)).toEqual(values)
  })

  it('calls a short secret weak', () => {
    expect(listWeakSecrets({ ADMIN_TOKEN: 'a'.repeat(32), MASTER_KEYS: 'a'.repeat(31) })).toEqual([
      'MASTER_KEYS',
      'JWT_SECRET',
    ])
  })
})
