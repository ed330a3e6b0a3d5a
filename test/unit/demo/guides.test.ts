import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { AgentIn } from '../../../src/agents/schema'
import {
  ARCHIVE_LIMITS,
  BODY_LIMITS,
  DOCUMENT_LIMITS,
  INGEST,
  LIMITS,
  MIB,
  PAGES,
  QUOTA,
} from '../../../src/config/limits'
import { LANGUAGES, type Language } from '../../../src/config/names'
import { ROUTES } from '../../../src/routes/table'

const FOLDER = 'demo/help-desk'
const LIMITS_GUIDE: Record<Language, string> = {
  en: 'sources/en/limits.html',
  zh: 'sources/zh/limits.html',
  'zh-TW': 'zh-TW/limits.md',
  es: 'es/limits.html',
  ru: 'sources/ru/limits.html',
  fr: 'fr/limits.md',
  ar: 'ar/limits.md',
}
const MOST_USED = [
  'chat-api',
  'knowledge-bases',
  'limits',
  'questions',
  'running',
  'security',
  'troubleshooting',
]
/** Digits in groups as each language writes them; Spanish, Russian and French group from five digits on. */
const GROUPS: Record<Language, readonly [mark: string, fromDigits: number]> = {
  en: [',', 4],
  zh: [',', 4],
  'zh-TW': [',', 4],
  es: ['.', 5],
  ru: [' ', 5],
  fr: [' ', 5],
  ar: [',', 4],
}

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')
const guides = LANGUAGES.flatMap((language) =>
  readdirSync(join(FOLDER, language)).map((name) => `${language}/${name}`),
)

function write(value: number, language: Language): string {
  const [mark, from] = GROUPS[language]
  const digits = String(value)
  return digits.length < from ? digits : digits.replace(/\B(?=(\d{3})+$)/g, mark)
}

const squash = (text: string) => text.replace(/\s+/g, '')
const textOfHtml = (html: string) =>
  html
    .replace(/<(head|style)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&apos;', "'")
    .replaceAll('&quot;', '"')

async function textOf(path: string): Promise<string> {
  const bytes = new Uint8Array(readFileSync(join(FOLDER, path)))
  if (path.endsWith('.pdf')) {
    const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
    return text
  }
  const xml = strFromU8(unzipSync(bytes)['word/document.xml'] ?? new Uint8Array())
  return textOfHtml(xml.replace(/<\/?w:(?:t|r|rPr)\b[^>]*>/g, ''))
}

/** What a person wrote: a guide itself, or the source of one that is made. */
const written = (path: string) =>
  read(/pdf|docx/.test(path) ? `sources/${path.replace(/\.\w+$/, '.html')}` : path)

const isRoute = new Set(
  ROUTES.flatMap(({ method, path, also = [] }) =>
    [path, ...also].map((address) => `${method} ${nameless(address)}`),
  ),
)

/** A path with its parameters nameless: a guide may say `{user_id}` where the route says `{uid}`. */
function nameless(path: string): string {
  return path.replace(/\{\w+\}/g, '{}').replace('/telegram', '/{}')
}

describe('the guides', () => {
  it('are there in all formats and languages', () => {
    const count = (pattern: RegExp) => guides.filter((path) => pattern.test(path)).length
    expect(count(/^en\//)).toBeGreaterThanOrEqual(16)
    for (const language of LANGUAGES) {
      const names = guides.filter((path) => path.startsWith(`${language}/`))
      expect(names.map((path) => path.replace(/^.*\/|\.\w+$/g, ''))).toEqual(
        expect.arrayContaining(MOST_USED),
      )
    }
    for (const format of ['md', 'html', 'pdf', 'docx']) {
      expect(count(new RegExp(`\\.${format}$`))).toBeGreaterThan(1)
    }
  })

  it.each(guides.filter((path) => /pdf|docx/.test(path)))(
    '%s says what its source says',
    async (path) => {
      const source = textOfHtml(read(`sources/${path.replace(/\.\w+$/, '.html')}`))
      expect(squash(await textOf(path))).toBe(squash(source))
    },
  )

  it('have a question above each section', () => {
    const statements = guides.flatMap((path) =>
      [...written(path).matchAll(/^## (.*)$|<h2>(.*?)<\/h2>/gm)]
        .map(([, markdown, html]) => `${path}: ${markdown ?? html}`)
        .filter((heading) => !/[?？؟]$/.test(heading)),
    )
    expect(statements).toEqual([])
  })

  it('take no more other ways to ask than a heading may have', () => {
    const { phrasings, phrasingLength } = DOCUMENT_LIMITS
    const long = guides.flatMap((path) =>
      [...written(path).matchAll(/<!-- asked:\n([\s\S]*?)\n-->/g)]
        .map(([, ways = '']) => ways.split('\n'))
        .filter(
          (ways) => ways.length > phrasings || ways.some((way) => way.length > phrasingLength),
        )
        .map(([first]) => `${path}: ${first}`),
    )
    expect(long).toEqual([])
  })

  it.each(guides)('%s names only routes that exist', (path) => {
    const named = [
      ...textOfHtml(written(path)).matchAll(
        /\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}.-]*[\w}])(?![\w<])/g,
      ),
    ].map(([, method, address = '']) => `${method} ${nameless(address)}`)
    expect(named.filter((route) => !isRoute.has(route))).toEqual([])
  })

  it.each(LANGUAGES)('say how visitors are greeted (%s, #13.6)', (language) => {
    const texts = readdirSync(join(FOLDER, language))
      .filter((name) => /\.(?:md|html)$/.test(name))
      .map((name) => read(`${language}/${name}`))
    for (const field of ['greeting', 'auto_greeting', 'translations']) {
      const named = new RegExp(`[\`>]${field}[\`<]`)
      expect(texts.some((text) => named.test(text))).toBe(true)
    }
  })

  it('greet in every language, with chips that fit', () => {
    const { en, ...translations } = JSON.parse(read('words.json'))
    expect(AgentIn.safeParse({ ...en, translations }).error).toBeUndefined()
    expect(Object.keys({ en, ...translations }).sort()).toEqual([...LANGUAGES].sort())
    for (const words of Object.values(translations))
      expect(Object.keys(words as object)).toEqual(Object.keys(en))
  })

  it.each(LANGUAGES)('give the limits that the code has (%s)', (language) => {
    const text = textOfHtml(read(LIMITS_GUIDE[language]))
    const numbers = [
      LIMITS.agentsPerTenant,
      LIMITS.skillsPerTenant,
      LIMITS.basesPerTenant,
      LIMITS.chunksPerBase,
      LIMITS.spacesPerUser,
      LIMITS.revisionsKept,
      LIMITS.messageLength,
      LIMITS.promptLength,
      LIMITS.nameLength,
      LIMITS.menuItems,
      LIMITS.menuItemLength,
      LIMITS.imagesPerTurn,
      LIMITS.toolSteps,
      LIMITS.searchK.default,
      LIMITS.searchK.max,
      LIMITS.maxOutputTokens.default,
      LIMITS.maxOutputTokens.max,
      LIMITS.historyWindow.default,
      LIMITS.historyWindow.max,
      LIMITS.streamReplayMinutes,
      LIMITS.idempotencyHours,
      ARCHIVE_LIMITS.entries,
      ARCHIVE_LIMITS.pdfPages,
      QUOTA.defaultMonthlyTokens,
      QUOTA.warningShare * 100,
      ...Object.values(PAGES).flatMap((page) =>
        page === PAGES.reminders ? [] : Object.values(page),
      ),
    ].map((value) => write(value, language))
    const sizes = [
      BODY_LIMITS.json,
      BODY_LIMITS.files,
      BODY_LIMITS.icon,
      LIMITS.imageBytes,
      LIMITS.audioBytes,
      LIMITS.mediaBytesPerTurn,
      ARCHIVE_LIMITS.entryBytes,
      ARCHIVE_LIMITS.totalBytes,
    ].map((value) => `${value / MIB} MiB`)
    const missing = [...numbers, ...sizes].filter(
      (value) => !new RegExp(`(?<![\\d.,])${value.replace('.', '\\.')}(?![\\d])`).test(text),
    )
    expect(missing).toEqual([])
  })

  it('give the times of ingestion that the code has', () => {
    expect(read('en/knowledge-bases.md')).toContain(
      `without progress for ${INGEST.stallMs / 60_000} minutes is started again, and after three attempts`,
    )
    expect(INGEST.attempts).toBe(3)
  })

  it('hold every document that a question expects', () => {
    const items = [...JSON.parse(read('questions.json')), ...JSON.parse(read('eval.json'))]
    const expected = items.flatMap((item: { documents: string[] }) => item.documents)
    expect(expected.filter((path: string) => !existsSync(join(FOLDER, path)))).toEqual([])
  })

  it('hold the words that each demo question expects in its answer', async () => {
    for (const { documents, quote } of JSON.parse(read('questions.json'))) {
      const texts = await Promise.all(
        documents.map((path: string) => (/pdf|docx/.test(path) ? textOf(path) : read(path))),
      )
      expect(squash(texts.join(' '))).toContain(squash(quote))
    }
  })
})
