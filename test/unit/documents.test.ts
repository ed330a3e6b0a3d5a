import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { KNOWLEDGE_BASE_MIGRATIONS } from '../../durable-objects/knowledge-base/schema'
import { METER_MIGRATIONS } from '../../durable-objects/tenant-meter/schema'
import { SPACE_MIGRATIONS } from '../../durable-objects/user-space/core/schema'

const DOCUMENTS = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md'),
)
const ROOTS = readdirSync('.', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : [],
)
const { scripts, dependencies, devDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as Record<'scripts' | 'dependencies' | 'devDependencies', object>

/** `a/{b,c}.ts` → both; braces may stand in braces. */
function expand(path: string): string[] {
  const found = /^(.*)\{([^{}]*)\}(.*)$/s.exec(path)
  if (!found) return [path]
  const [, before = '', choice = '', after = ''] = found
  return choice.split(',').flatMap((one) => expand(before + one + after))
}

/** Of a name with `*` or a word in capitals the folder is looked at: it stands for many. */
const isThere = (path: string): boolean =>
  /\*|\b[A-Z]{2,}\b/.test(path)
    ? isThere(path.slice(0, path.search(/\/[^/]*(\*|\b[A-Z]{2,}\b)/)))
    : existsSync(path) || ['.ts', '.tsx', '.mjs'].some((end) => existsSync(path + end))

describe.each(DOCUMENTS)('%s', (name) => {
  const text = readFileSync(name, 'utf8')
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words)

  it('names files that are there', () => {
    const paths = code.filter(
      (words) => /^[\w./*{},@-]+$/.test(words) && ROOTS.includes(words.split('/')[0] ?? ''),
    )
    expect(paths.flatMap(expand).filter((path) => !isThere(path))).toEqual([])
  })

  it('leads to documents, pictures and headings that are there', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)].filter(
      ([, to = '']) => !to.includes(':'),
    )
    const lost = links.filter(([, to = '', heading]) => {
      const file = to === '' ? name : join(dirname(name), to)
      if (!existsSync(file)) return true
      return heading !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(heading)
    })
    expect(lost.map(([link]) => link)).toEqual([])
  })

  it('names commands that are there', () => {
    const named = [...text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, script = '']) => script)
    expect(named.filter((script) => !(script in scripts))).toEqual([])
  })
})

it('docs/contributing.md tells of every command', () => {
  const guide = readFileSync('docs/contributing.md', 'utf8')
  const [, section = ''] = guide.split(/^## Commands$/m)
  const [table = ''] = section.split(/^## /m)
  const named = [...table.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words)
  const isTold = (script: string) =>
    named.some((words) => words.replace(/^npm (?:run )?(?:-s )?/, '').split(' ')[0] === script)
  const own = Object.keys(scripts).filter((script) => script !== 'postinstall')
  expect(own.filter((script) => !isTold(script))).toEqual([])
})

it('README.md says of each package why it is there, but of mere types', () => {
  const [, section = ''] = readFileSync('README.md', 'utf8').split(/^## Dependencies.*$/m)
  const [table = ''] = section.split(/^## /m)
  const told = [...table.matchAll(/^\| ([^|]+) \|/gm)]
    .flatMap(([, cell = '']) => cell.trim().split(', '))
    .filter((name) => name !== 'Package' && !name.startsWith('-'))
  const used = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !/^@types\/|-types$/.test(name),
  )
  expect(told.toSorted()).toEqual(used.toSorted())
})

it('.dev.vars.example explains every variable that nobody sets by itself', () => {
  const [known, example, ...setters] = [
    'src/config/read-config.ts',
    '.dev.vars.example',
    'wrangler.toml',
    'scripts/local-server.mjs',
  ].map((file) => readFileSync(file, 'utf8'))
  const names = [...(known ?? '').matchAll(/^ {2}([A-Z_]+)\?: string$/gm)].map(
    ([, name = '']) => name,
  )
  expect(names).toContain('OPENAI_BASE_URL')
  const isSet = (name: string) => setters.some((text) => text.includes(name))
  expect(names.filter((name) => !example?.includes(`${name}=`) && !isSet(name))).toEqual([])
})

describe('docs/storage.md', () => {
  const guide = readFileSync('docs/storage.md', 'utf8')
  /** What the statements make and nothing takes away; parts of a full-text index are its own. */
  const tablesOf = (statements: readonly string[]): string[] => {
    const db = new DatabaseSync(':memory:')
    for (const statement of statements) db.exec(statement)
    return db
      .prepare(
        "SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .all()
      .map(({ name }) => String(name))
  }

  it.each([
    ['D1', readdirSync('migrations').map((name) => readFileSync(`migrations/${name}`, 'utf8'))],
    ['UserSpace', SPACE_MIGRATIONS],
    ['KnowledgeBase', KNOWLEDGE_BASE_MIGRATIONS],
    ['TenantMeter', METER_MIGRATIONS],
  ])('tells of every table of %s', (name, statements) => {
    const [, section = ''] = guide.split(new RegExp(`^##+ .*${name}.*$`, 'm'))
    const [told = ''] = section.split(/^##+ /m)
    expect(tablesOf(statements).filter((table) => !told.includes(`\`${table}\``))).toEqual([])
  })
})

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
