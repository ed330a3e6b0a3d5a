import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { deploy, readOptions, setDatabaseId, setWorkersDev } from '../../../scripts/deploy.mjs'

const TOML = readFileSync('wrangler.toml', 'utf8')
const ID = '11111111-2222-3333-4444-555555555555'
const STRONG = 'x'.repeat(43)
const SECRETS = { ADMIN_TOKEN: STRONG, MASTER_KEYS: STRONG, JWT_SECRET: STRONG }
const SET = Object.keys(SECRETS).map((name) => ({ name, type: 'secret_text' }))

/** A Cloudflare account as wrangler shows it; `deny` makes the command that starts so fail. */
function fakeAccount(account: {
  exists?: string[]
  secrets?: unknown[] | null
  deny?: string
  dimensions?: number
}) {
  const exists = new Set(account.exists ?? [])
  const ran: string[] = []
  const wrangler = (args: string[]) => {
    const command = args.join(' ')
    ran.push(command)
    const ok = (stdout: unknown = '') => ({ code: 0, stdout: JSON.stringify(stdout), stderr: '' })
    const no = (stderr: string) => ({ code: 1, stdout: '', stderr })
    if (account.deny && command.startsWith(account.deny)) return no('denied')
    if (command === 'd1 list --json')
      return ok(exists.has('parley') ? [{ name: 'parley', uuid: ID }] : [])
    if (command.startsWith('secret list'))
      return account.secrets ? ok(account.secrets) : no('Worker "parley" not found')
    const name = args.find((arg) => arg.startsWith('parley')) ?? ''
    if (args.includes('create')) exists.add(name)
    if (args.includes('info')) return exists.has(name) ? ok() : no('no such thing')
    if (args.includes('get')) {
      return exists.has(name)
        ? ok({ config: { dimensions: account.dimensions ?? 1024, metric: 'cosine' } })
        : no('none')
    }
    return ok()
  }
  let toml = TOML
  const options = {
    wrangler,
    files: {
      readConfig: () => toml,
      writeConfig: (text: string) => {
        toml = text
      },
    },
    secrets: {} as Record<string, string>,
    secretsFile: null as string | null,
    location: undefined as string | undefined,
    buildPages: () => void ran.push('build pages'),
    keepPages: async (base: string) => {
      ran.push(`keep pages of ${base}`)
      return { added: 0, lack: null }
    },
    say: () => {},
  }
  return { options, ran, config: () => toml }
}

const ALL = [
  'parley',
  'parley-files',
  'parley-jobs',
  'parley-ingest',
  'parley-deliveries',
  'parley-channels',
  'parley-jobs-dead',
  'parley-ingest-dead',
  'parley-deliveries-dead',
  'parley-channels-dead',
  'parley-knowledge',
]

describe('npm run deploy', () => {
  it('creates everything in an empty account, then migrates, then deploys with the secrets brought along', async () => {
    const { options, ran, config } = fakeAccount({ secrets: null })
    await deploy({ ...options, secrets: SECRETS, secretsFile: '/tmp/prod.vars', location: 'weur' })
    const created = ran.filter((command) => command.includes(' create '))
    expect(created).toEqual([
      'd1 create parley --location weur',
      'r2 bucket create parley-files --location weur',
      ...ALL.slice(2, -1).map((queue) => `queues create ${queue}`),
      'vectorize create parley-knowledge --dimensions=1024 --metric=cosine',
    ])
    expect(ran.slice(-4)).toEqual([
      'build pages',
      'keep pages of ',
      'd1 migrations apply DB --remote --env production',
      'deploy --minify --env production --secrets-file /tmp/prod.vars',
    ])
    expect(config()).toContain(`database_id = "${ID}"`)
  })

  it('creates nothing the second time', async () => {
    const { options, ran } = fakeAccount({ exists: ALL, secrets: SET })
    await deploy(options)
    expect(ran.filter((command) => command.includes('create'))).toEqual([])
    expect(ran.at(-1)).toBe('deploy --minify --env production')
  })

  it('names the missing secret and deploys nothing', async () => {
    const { options, ran } = fakeAccount({ exists: ALL, secrets: SET.slice(0, 2) })
    await expect(deploy(options)).rejects.toThrow('Secrets are missing: JWT_SECRET')
    expect(ran.some((command) => /^deploy|migrations/.test(command))).toBe(false)
  })

  it('refuses a weak secret in the file', async () => {
    const { options } = fakeAccount({ exists: ALL, secrets: null })
    const secrets = { ...SECRETS, JWT_SECRET: 'short' }
    await expect(deploy({ ...options, secrets })).rejects.toThrow('JWT_SECRET in the secrets file')
  })

  it('stops at an index of another shape', async () => {
    const { options, ran } = fakeAccount({ exists: ALL, secrets: SET, dimensions: 768 })
    await expect(deploy(options)).rejects.toThrow('has 768 dimensions')
    expect(ran.some((command) => command.startsWith('deploy'))).toBe(false)
  })

  it.each([
    ['whoami', 'Not logged in'],
    ['d1 create', 'D1 database parley could not be created'],
    ['queues create parley-ingest-dead', 'queue parley-ingest-dead could not be created'],
    ['secret list', 'The secrets could not be listed'],
    ['d1 migrations', 'The migrations failed'],
  ])('stops when `%s` fails and says so', async (deny, message) => {
    const { options, ran } = fakeAccount({ secrets: SET, deny })
    await expect(deploy(options)).rejects.toThrow(message)
    expect(ran.some((command) => command.startsWith('deploy'))).toBe(false)
  })

  it('writes the id into the production database only', () => {
    const changed = setDatabaseId(TOML, ID)
    expect(changed.split(ID)).toHaveLength(2)
    expect(changed.replace(ID, '00000000-0000-0000-0000-000000000000')).toBe(TOML)
    expect(changed.indexOf(ID)).toBeGreaterThan(changed.indexOf('[[env.production.d1_databases]]'))
  })

  it('switches workers.dev off once PUBLIC_BASE names a route of its own, and on again without', () => {
    const on = /^workers_dev = true$/m
    const base = (toml: string, url: string) =>
      toml.replace(/(\[env\.production\.vars\][^[]*?PUBLIC_BASE = ")[^"]*/, `$1${url}`)
    const route = 'routes = [{ pattern = "chat.example.com", custom_domain = true }]'
    const routed = TOML.replace('[env.production]\n', `[env.production]\n${route}\n`)
    expect(setWorkersDev(TOML)).toBe(TOML)
    expect(setWorkersDev(base(TOML, 'https://chat.example.com'))).toMatch(on)
    expect(setWorkersDev(routed)).toMatch(on)
    expect(setWorkersDev(base(routed, 'https://other.example.com'))).toMatch(on)
    const own = setWorkersDev(base(routed, 'https://chat.example.com'))
    expect(own).toMatch(/^workers_dev = false$/m)
    expect(setWorkersDev(own.replace(`${route}\n`, ''))).toMatch(on)
  })
})

describe('what may be typed behind npm run deploy --', () => {
  it('is taken as it stands', () => {
    const typed = ['--dry-run', '--secrets-file', '.prod.vars', '--location', 'weur']
    expect(readOptions(typed)).toEqual({
      'dry-run': true,
      'secrets-file': '.prod.vars',
      location: 'weur',
    })
  })

  it.each(['--help', '--location', '--location mars', '--dry', 'now'])(
    'is named where it is %s',
    (typed) => {
      expect(() => readOptions(typed.split(' '))).toThrow(/--dry-run, --secrets-file FILE.* weur/)
    },
  )
})
