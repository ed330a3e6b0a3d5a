import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Every TypeScript file that runs in the Worker; the pages of src/web run in browsers. */
const files = ['src', 'durable-objects']
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => `${root}/${name}`))
  .filter((path) => path.endsWith('.ts') && !path.startsWith('src/web/'))

/** Files whose code (not their comments) matches. */
function filesWith(pattern: RegExp): string[] {
  const code = (path: string) =>
    readFileSync(path, 'utf8').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')
  return files.filter((path) => pattern.test(code(path))).sort()
}

describe('choke points', () => {
  it('one module calls out', () => {
    // A bare fetch(...) that is neither a method call nor the definition of a handler.
    const calls = /(?<!\.|\w|async )\bfetch\((?![^)\n]*\)\s*[:{])|globalThis\.fetch\b/
    expect(filesWith(calls)).toEqual(['src/platform/egress-fetch.ts'])
    const sockets =
      /from ['"](?:cloudflare:sockets|(?:node:)?(?:net|tls|https?|http2|dns|dgram))['"]/
    expect(filesWith(sockets)).toEqual(['src/platform/mail/smtp.lazy.ts'])
  })

  it('an address of ours is built from PUBLIC_BASE, and where that is empty from the request in one place', () => {
    // A Host header is the caller's: what it names may be answered to that caller, never stored, mailed or registered.
    expect(filesWith(/new URL\((?:c\.req|request|c\.req\.raw)\.url\)\.origin/)).toEqual([
      'src/http/base-context.ts',
    ])
    expect(
      filesWith(/headers?\(?\.?(?:get)?\(['"](?:x-forwarded-)?host['"]\)|['"]forwarded['"]/i),
    ).toEqual([])
    expect(filesWith(/\b(?:ctx|base)\.origin\b/)).toEqual([
      // Told to the caller.
      'src/agents/alias.ts',
      // Registers a webhook: only with PUBLIC_BASE, or locally.
      'src/channels/tenant-channel.ts',
      // Pictures that this turn's reply may show.
      'src/chat/doors/start-turn.ts',
      // The page that is asked for, kept by no cache.
      'src/routes/pages.ts',
      'src/tenants/present-tenant.ts',
      // Sends a browser to the provider and back: only with PUBLIC_BASE, or locally.
      'src/users/oauth/start-oauth.ts',
    ])
  })

  it('one module encrypts and decrypts', () => {
    const calls = /subtle\.(?:encrypt|decrypt|wrapKey|unwrapKey)\b|createCipher|createDecipher/
    expect(filesWith(calls)).toEqual(['src/platform/crypto/field.ts'])
  })

  it('hashes of passwords wait in line', () => {
    expect(filesWith(/\bscrypt(?:Sync)?\(/)).toEqual(['src/platform/crypto/password.ts'])
    const callers = filesWith(/\b(?:hash|verify)Password\(/)
    const outside = filesWith(/\binHashLine\(/).filter((path) => path !== 'src/users/hash-line.ts')
    expect(callers).toEqual(['src/platform/crypto/password.ts', ...outside].sort())
  })

  it('keys are made and used in one folder', () => {
    const calls = /subtle\.(?:importKey|deriveKey|deriveBits|generateKey|sign|verify)\b|createHmac/
    const outside = filesWith(calls).filter((path) => !path.startsWith('src/platform/crypto/'))
    expect(outside).toEqual([])
  })

  it('what the platform limits is asked of one module each (RL5)', () => {
    expect(filesWith(/\bFILES\.(?:put|delete)\(|\bfiles\.(?:put|delete)\(/)).toEqual([
      'src/platform/files.ts',
    ])
    expect(filesWith(/\bsendBatch\(|\b(?:JOBS|INGEST|DELIVERIES|CHANNELS|queue)\.send\(/)).toEqual([
      'src/platform/queue.ts',
    ])
    expect(filesWith(/\bdeleteByIds\(|\bVECTORS as\b/)).toEqual(['src/platform/vectors.ts'])
    expect(filesWith(/\bdrizzle\(/)).toEqual(['src/db/client.ts'])
  })

  it('statements that are written out bind no list of values (RL5)', () => {
    const spread = /\.prepare\((?:(?!\.prepare\()[\s\S]){0,600}?\.bind\([^)]*\.\.\./
    // The guard hands on the list that it has counted.
    expect(filesWith(spread)).toEqual(['src/db/guard-d1.ts'])
  })

  it('one module says that a name is taken or that a tenant has enough of a kind', () => {
    expect(filesWith(/already exists[`']/)).toEqual(['src/resources/named-resource.ts'])
    expect(
      filesWith(/SELECT count\(\*\) FROM .{0,80} < \$\{.*(?:perTenant|PerTenant|limit)/),
    ).toEqual(['src/resources/named-resource.ts'])
  })

  it('nobody asks for the offline model by name: what it can is data', () => {
    const names = /OFFLINE_MODEL|['"]offline['"]|\bofflineModel\b|models\/offline|\.\/offline\//
    const outside = filesWith(names).filter(
      (path) => !path.startsWith('src/models/offline/') && !/^src\/config[./]/.test(path),
    )
    // The registry, and the variable that chooses the provider.
    expect(outside).toEqual(['src/models/chat-model.ts', 'src/models/model-env.ts'])
  })

  it('the offline model is made of text, language and what models share', () => {
    const folder = 'src/models/offline'
    const imported = files
      .filter((path) => path.startsWith(`${folder}/`))
      .flatMap((path) => [
        ...readFileSync(path, 'utf8').matchAll(
          /^import (?!type )[\s\S]*?from '(?<from>\.[^']+)'/gm,
        ),
      ])
      .map((found) => new URL(found.groups?.from ?? '', `file:///${folder}/`).pathname)
    expect(imported.length).toBeGreaterThan(10)
    const own = /^\/src\/(?:text|language|models|config)(?:\/|$)/
    expect(imported.filter((path) => !own.test(path))).toEqual([])
  })

  it('every call of a chat model says whether it may think, and only a turn may', () => {
    const calls = /\b(?:generateText|streamText)\(\{|\.doGenerate\(\{|\.doStream\(/
    const callers = filesWith(calls).filter((path) => !path.startsWith('src/models/'))
    expect(callers).toContain('src/chat/generate.ts')
    expect(filesWith(/reasoning: 'none'/)).toEqual(
      callers.filter((path) => path !== 'src/chat/generate.ts'),
    )
  })

  it('nothing is decided by words that people read: a field of the route or a code does', () => {
    const decides =
      /\broute\.tag\b(?!\])|(?:\.(?:tag|label|summary|message)|(?<!typeof )\bdetail)\s*[!=]==?\s*(?:['"`]|not)|\.(?:detail|message|summary)\.(?:includes|startsWith|endsWith|match)\(|\.test\(\w+\.(?:detail|message|summary)\)/
    const outside = filesWith(decides).filter((path) => !path.startsWith('src/api-description/'))
    expect(outside).toEqual([])
  })
})
