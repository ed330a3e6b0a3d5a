import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { deploy, describePlan } from '../../../scripts/deploy.mjs'

const read = (path: string) => readFileSync(path, 'utf8')
/** What is looked at of a configuration; wrangler's own type of it is not exported. */
interface Config {
  d1_databases: { binding: string; database_name: string }[]
  r2_buckets: { binding: string; bucket_name: string }[]
  vectorize: { binding: string; index_name: string }[]
  durable_objects: { bindings: { name: string }[] }
  queues: {
    producers: { binding: string; queue: string }[]
    consumers: { queue: string; dead_letter_queue?: string }[]
  }
  ai?: { binding: string }
  assets?: { binding: string }
  version_metadata?: { binding: string }
  triggers: unknown
  migrations: unknown
  main: string
}
const local: Config = unstable_readConfig({ config: 'wrangler.toml' })
const production: Config = unstable_readConfig({ config: 'wrangler.toml', env: 'production' })
const [guide, readme, storage] = ['docs/deploy.md', 'README.md', 'docs/storage.md'].map(read)

const bindingsOf = (config: Config): string[] => [
  ...config.d1_databases.map(({ binding }) => binding),
  ...config.r2_buckets.map(({ binding }) => binding),
  ...config.queues.producers.map(({ binding }) => binding),
  ...config.durable_objects.bindings.map(({ name }) => name),
  ...config.vectorize.map(({ binding }) => binding),
  ...[config.ai, config.assets, config.version_metadata].flatMap((one) =>
    one?.binding ? [one.binding] : [],
  ),
]
const queuesOf = (config: Config): string[] => [
  ...new Set([
    ...config.queues.producers.map(({ queue }) => queue),
    ...config.queues.consumers.flatMap(({ queue, dead_letter_queue }) =>
      dead_letter_queue ? [queue, dead_letter_queue] : [queue],
    ),
  ]),
]

/** What the script runs in an empty account that has its secrets, without the choices of one deployment. */
async function commandsOfScript(): Promise<string[]> {
  const ran: string[] = []
  const made = new Set<string>()
  const secrets = ['ADMIN_TOKEN', 'MASTER_KEYS', 'JWT_SECRET'].map((name) => ({ name }))
  await deploy({
    wrangler: (args: string[]) => {
      const command = args.join(' ')
      ran.push(command)
      if (args.includes('create')) made.add(command)
      const listed = made.size > 0 ? [{ name: 'parley', uuid: 'an-id' }] : []
      const stdout = command.startsWith('d1 list') ? listed : secrets
      const isLook = args.includes('info') || args.includes('get')
      return { code: isLook ? 1 : 0, stdout: JSON.stringify(stdout), stderr: '' }
    },
    files: { readConfig: () => read('wrangler.toml'), writeConfig: () => {} },
    secrets: {},
    secretsFile: null,
    location: undefined,
    buildPages: () => {},
    keepPages: async () => ({ added: 0, lack: null }),
    say: () => {},
  })
  return ran.filter((command) => / create |^d1 migrations|^deploy/.test(command))
}

describe('a deployment by the guide', () => {
  it('has the same bindings in both halves of wrangler.toml, but for what does not run locally', () => {
    const only = ['VECTORS', 'AI', 'VERSION']
    expect(bindingsOf(production).sort()).toEqual([...bindingsOf(local), ...only].sort())
    for (const part of ['d1_databases', 'r2_buckets', 'durable_objects'] as const)
      expect([part, production[part]]).toEqual([part, local[part]])
    expect(production.queues.producers).toEqual(local.queues.producers)
    expect(production.queues.consumers).toEqual(local.queues.consumers)
    expect([production.triggers, production.migrations, production.main]).toEqual([
      local.triggers,
      local.migrations,
      local.main,
    ])
  })

  it('builds the pages by itself, whoever starts wrangler', () => {
    expect(read('wrangler.toml')).toContain('[build]\ncommand = "node scripts/ensure-built.mjs"')
  })

  it('keeps its log, its source maps and its version', () => {
    expect(production).toMatchObject({
      observability: { enabled: true },
      upload_source_maps: true,
      version_metadata: { binding: 'VERSION' },
      workers_dev: true,
    })
  })

  it('makes every queue, database, bucket and index that the configuration names, and no other', async () => {
    const plan = describePlan().join('\n')
    const commands = await commandsOfScript()
    const created = (kind: string) =>
      commands.flatMap((command) =>
        command.startsWith(`${kind} create `)
          ? [command.split(' ')[kind.split(' ').length + 1]]
          : [],
      )
    expect(created('queues').sort()).toEqual(queuesOf(production).sort())
    expect(created('d1')).toEqual(production.d1_databases.map((one) => one.database_name))
    expect(created('r2 bucket')).toEqual(production.r2_buckets.map((one) => one.bucket_name))
    expect(created('vectorize')).toEqual(production.vectorize.map((one) => one.index_name))
    for (const name of commands.flatMap((command) => command.match(/parley[\w-]*/g) ?? []))
      expect(plan).toMatch(new RegExp(`\\b${name}:`))
  })

  it('has every command of the script in the guide, word for word', async () => {
    const commands = await commandsOfScript()
    expect(commands.length).toBeGreaterThan(queuesOf(production).length)
    expect(commands.filter((command) => !guide?.includes(`npx wrangler ${command}`))).toEqual([])
  })

  it('finds every binding in the README, and every queue in the storage guide', () => {
    expect(bindingsOf(production).filter((name) => !readme?.includes(`\`${name}\``))).toEqual([])
    const queues = production.queues.producers.map(({ queue }) => queue)
    expect(queues.length).toBeGreaterThan(3)
    expect(queues.filter((name) => !storage?.includes(`\`${name}\``))).toEqual([])
  })

  it('names the environment in each command for a database that is there', () => {
    const commands = guide?.match(/npx wrangler d1 (?!create)[^`]+/g) ?? []
    expect(commands.length).toBeGreaterThan(3)
    expect(commands.filter((command) => !command.includes('--env production'))).toEqual([])
  })

  it("finds every queue in the help desk's guide, also those of dead letters", () => {
    const told = read('demo/help-desk/sources/en/deployment.html').match(/\bparley(?:-\w+)+/g)
    const { index_name } = production.vectorize[0] ?? {}
    const names = [...queuesOf(production), index_name, 'parley-files']
    expect(new Set(told)).toEqual(new Set(names))
  })
})
