import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PAGE_ASSETS } from '../../src/pages/assets.gen'

interface LockEntry {
  version?: string
  integrity?: string
  link?: true
  os?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const read = (path: string) => readFileSync(path, 'utf8')
const manifest = JSON.parse(read('package.json'))
const lock = JSON.parse(read('package-lock.json'))
const locked = lock.packages as Record<string, LockEntry>
const code = ['src', 'durable-objects']
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => `${root}/${name}`))
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: read(path) }))
const filesWith = (pattern: RegExp) =>
  code.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

/** Section 15 of the security requirements: what must hold before anything is deployed. */
describe('build gates', () => {
  it('packages are pinned, locked with their digests, and new enough (BG1)', () => {
    const named: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies }
    expect(Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+/.test(version))).toEqual(
      [],
    )
    const unlocked = Object.entries(locked)
      .filter(([path, entry]) => path !== '' && !entry.integrity && !entry.link)
      // A variant for another platform may be one that the registry did not serve when the lock was written.
      .filter(
        ([, { os = ['linux'], libc = ['glibc'] }]) =>
          os.includes('linux') && libc.includes('glibc'),
      )
      .map(([path]) => path)
    expect(unlocked).toEqual([])
    const least = {
      hono: '4.12.25',
      'drizzle-orm': '0.45.2',
      '@modelcontextprotocol/sdk': '1.26.0',
    }
    for (const [name, version] of Object.entries(least))
      expect([name, isAtLeast(locked[`node_modules/${name}`]?.version ?? '0', version)]).toEqual([
        name,
        true,
      ])
  })

  it('`npm ci` takes the lock: every optional variant of a package is in it (BG1)', () => {
    const variants = Object.values(locked).flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}),
    )
    expect(variants).toContain('@biomejs/cli-linux-x64')
    const paths = Object.keys(locked)
    expect(
      variants.filter((name) => !paths.some((path) => path.endsWith(`node_modules/${name}`))),
    ).toEqual([])
  })

  it('an install is small: at most 350 packages and 650 MB, and says no more than matters', () => {
    const installed = JSON.parse(read('node_modules/.package-lock.json')).packages
    expect(Object.keys(installed).length).toBeLessThanOrEqual(350)
    const sizes = new Map<number, number>()
    // Dot folders are the tools' own caches; one file may stand in two places.
    for (const name of readdirSync('node_modules').filter((name) => !name.startsWith('.'))) {
      const place = { recursive: true, withFileTypes: true } as const
      for (const entry of readdirSync(`node_modules/${name}`, place)) {
        const { ino, size } = lstatSync(`${entry.parentPath}/${entry.name}`)
        sizes.set(ino, size)
      }
    }
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeLessThanOrEqual(650_000_000)
    expect(read('.npmrc')).toContain('loglevel=error')
  })

  it('the chat starts with a handful of files, since on a slow network each round of them is seen (#14.1)', () => {
    const { script, modules, frame } = PAGE_ASSETS
    expect([script, ...modules, ...frame].length).toBeLessThanOrEqual(5)
  })

  it('advisories are looked at in CI (BG1)', () => {
    expect(manifest.scripts.advisories).toBe('node scripts/check-advisories.mjs')
    expect(read('.ci/run')).toMatch(/^step npm run advisories$/m)
  })

  it('the algorithm of a token is named, and nothing is mounted around a check (BG1)', () => {
    const jwt = read('src/platform/crypto/jwt.ts')
    expect(jwt).toMatch(/HS256|EdDSA/)
    expect(filesWith(/\.mount\(/)).toEqual([])
    expect(
      filesWith(/from 'jose'|from 'hono\/jwt'/).filter(
        (path) => !path.startsWith('src/platform/crypto/') && !path.startsWith('src/users/oauth/'),
      ),
    ).toEqual([])
  })

  it('every operation is in the table, with a layer (section 2)', () => {
    const outside = filesWith(/\bnew Hono\b|\.(?:get|post|put|patch|delete|all)\(\s*'\//)
    // The console calls them.
    expect(outside.filter((path) => !path.startsWith('src/web/'))).toEqual(['src/app.ts'])
    expect(
      filesWith(/\bdefineRoute\(/).filter((path) => !/^src\/(?:routes|http)\//.test(path)),
    ).toEqual([])
  })

  it('every queue has a dead-letter queue that somebody reads (RE2)', () => {
    const config = read('wrangler.toml')
    const consumers = [
      ...config.matchAll(/\[\[(?:env\.production\.)?queues\.consumers\]\]([^[]*)/g),
    ]
    expect(consumers.length).toBeGreaterThan(4)
    const queues = new Set(consumers.map(([, body]) => /^queue = "(.+)"$/m.exec(body ?? '')?.[1]))
    for (const [, body = ''] of consumers) {
      const queue = /^queue = "(.+)"$/m.exec(body)?.[1] ?? ''
      const dead = /^dead_letter_queue = "(.+)"$/m.exec(body)?.[1]
      if (!/-dead$/.test(queue)) expect([queue, queues.has(dead)]).toEqual([queue, true])
    }
  })

  it('nothing evaluates text as code', () => {
    expect(filesWith(/\beval\(|new Function\(/)).toEqual([])
  })

  it('values never become names or patterns of SQL (AZ6)', () => {
    expect(filesWith(/sql\.identifier\(/)).toEqual([])
    expect(filesWith(/\b(?:NOT )?LIKE\s*(?:\?|'|\$\{)/)).toEqual([])
  })

  it('no secret has a default and none is in the repository (BG4)', () => {
    const vars = read('wrangler.toml')
    expect(vars).not.toMatch(/^\s*(?:ADMIN_TOKEN|MASTER_KEYS|JWT_SECRET|OPENAI_API_KEY)\s*=/m)
    expect(read('.gitignore')).toMatch(/^\.dev\.vars$/m)
    expect(read('.dev.vars.example')).not.toMatch(/^(?:ADMIN_TOKEN|MASTER_KEYS|JWT_SECRET)=\S/m)
  })

  it('the loops of the AI SDK, which are loaded late, are imported by nobody at the start', () => {
    const IMPORT = /(?:import|export) \{([^}]*)\} from '([^']+)'/gu
    const imported = ({ path, text }: (typeof code)[number]) =>
      [...text.matchAll(IMPORT)].flatMap(([, names = '', from = '']) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
          .map((name) => ({ path, what: `${name} of ${from}` })),
      )
    const isLate = ({ path }: { path: string }) => path.endsWith('.lazy.ts')
    const late = new Set(
      code
        .filter(isLate)
        .flatMap(imported)
        .filter(({ what }) => what.endsWith(' of ai'))
        .map(({ what }) => what),
    )
    expect(late).toContain('generateText of ai')
    const early = code.filter((file) => !isLate(file)).flatMap(imported)
    expect(early.filter(({ what }) => late.has(what))).toEqual([])
  })
})

function isAtLeast(version: string, least: string): boolean {
  const [a = [], b = []] = [version, least].map((text) => text.split('.').map(Number))
  for (const [n, part] of b.entries()) if ((a[n] ?? 0) !== part) return (a[n] ?? 0) > part
  return true
}
