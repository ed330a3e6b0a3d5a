import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { asCurl, asTypeScript } from '../../../../src/web/console/parts/write-call'

const ORIGIN = 'https://chat.example'
const call = { method: 'PUT', path: '/v1/agents/d%27x', body: { soul: 'it\'s `$HOME` \\ "x"' } }

describe('a call as it is written into a program', () => {
  it('is a command whose words a shell gives to curl as they were', () => {
    const words = execFileSync(
      'bash',
      ['-c', `curl() { printf '%s\\0' "$@"; }; PARLEY_KEY=pk_1; ${asCurl(ORIGIN, call)}`],
      { encoding: 'utf8' },
    ).split('\0')
    expect(words.slice(0, 3)).toEqual(['-X', 'PUT', ORIGIN + call.path])
    expect(words).toContain('X-API-Key: pk_1')
    expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(call.body)
    expect(asCurl(ORIGIN, { method: 'GET', path: '/v1/agents' })).not.toContain('-d')
  })

  it('is TypeScript that makes the same call', async () => {
    const sent: unknown[] = []
    const code = asTypeScript(ORIGIN, call)
    const run = new Function('fetch', 'process', `return (async () => { ${code} })()`)
    await run(
      async (...given: unknown[]) => {
        sent.push(...given)
        return { ok: true, json: async () => ({}) }
      },
      { env: { PARLEY_KEY: 'pk_1' } },
    )
    expect(sent).toEqual([
      ORIGIN + call.path,
      {
        method: 'PUT',
        headers: { 'X-API-Key': 'pk_1', 'Content-Type': 'application/json' },
        body: expect.any(String),
      },
    ])
    expect(JSON.parse((sent[1] as { body: string }).body)).toEqual(call.body)
  })
})
