import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const DOCUMENTS = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md'),
)
const ROOTS = readdirSync('.', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : [],
)
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }

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

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
