// Expressions take time that grows with their text, not with its square or worse; or here stands what bounds their text. The list
// is exact: it shrinks too. Seen is what an expression in the source does with one sign that goes on; those put together of several
// signs or at run time are not.
import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { analyse } from 'scslre'
import { parseAst } from 'vitest/node'

/** File, slow expressions in it, and what bounds the text that they see. */
const BOUNDED = [
  ['src/api-description/describe-operation.ts', 1, 'paths of our own routes'],
  ['src/channels/telegram/read-update.ts', 1, 'none: its last part takes whatever is left'],
  ['src/chat/asking/read-form.ts', 2, 'labels, cut before'],
  ['src/chat/cta.ts', 1, 'addresses of a prompt'],
  [
    'src/chat/reply/meant-words.ts',
    3,
    'the last 100 characters; a label of 32; none: it takes whatever is left',
  ],
  ['src/chat/reply/tokens.ts', 1, 'none: a word holds no line end'],
  ['src/chat/sanitize-reply.ts', 3, 'a destination (2,100 characters), a word, the tail of a line'],
  ['src/config/read-config.ts', 1, 'an address of the operator'],
  ['src/jobs/tell-handoff.ts', 1, 'an address that a tenant saved'],
  ['src/knowledge/page-text.ts', 1, 'the first 1,024 bytes'],
  ['src/knowledge/read/document-builder.ts', 1, 'none: two line ends at most follow each other'],
  [
    'src/knowledge/read/drop-contents.ts',
    2,
    'lines as long as headings; what stands between two blocks',
  ],
  ['src/knowledge/read/pdf-cid-maps.ts', 1, 'our own tables'],
  ['src/knowledge/read/read-txt.ts', 1, 'heads of an item, each tested before to be a name'],
  ['src/knowledge/read/unwrap-lines.ts', 2, '80 characters beside a break'],
  ['src/memory/unquoted.ts', 1, '4,000 characters of a message'],
  ['src/models/model-env.ts', 1, 'an address of the operator'],
  ['src/models/offline/read-units.ts', 5, 'passages of 8,000 characters'],
  ['src/models/offline/summarize.ts', 2, 'a title; a sentence of a text that is cut'],
  ['src/platform/crypto/keyring.ts', 1, 'keys of the operator'],
  ['src/rehearsal/draft-agent.ts', 1, 'a name, cut before'],
  ['src/storylines/read-formatted.ts', 2, '2,000 characters'],
  ['src/storylines/read-graph.ts', 1, 'none: what stands between is one sign'],
  ['src/storylines/read-spoken.ts', 1, '80 characters'],
  ['src/storylines/restate.ts', 1, 'texts that a tenant wrote for a storyline'],
  ['src/tenants/privacy.ts', 1, 'an address that a tenant saves'],
  ['src/text/asks-for-person.ts', 1, 'a short message'],
  ['src/text/bare-headings.ts', 1, '200 characters'],
  ['src/text/citations.ts', 1, '12 characters'],
  ['src/text/detect-language.ts', 1, '2,000 characters'],
  ['src/text/find-words.ts', 1, '8 characters'],
  ['src/text/question.ts', 1, 'a clause of 1,000 characters'],
  ['src/text/quotes.ts', 2, 'a quote, as long as quotes are read'],
  ['src/text/read-clause.ts', 3, 'a word'],
  ['src/text/safe-url.ts', 1, 'none: it takes whatever is left'],
  ['src/web/chat/ui/form-card.tsx', 1, 'what its own reader types'],
  ['src/web/console/agents/share/alias-state.ts', 2, 'what its own reader types'],
  ['src/web/console/reviews/queue.ts', 1, 'a header of ours'],
  ['src/web/console/storylines/model/keys.ts', 1, 'what its own reader types'],
  ['src/web/console/storylines/people/use-pages.ts', 1, 'a header of ours'],
  ['src/web/kit/markdown/blocks.ts', 2, 'none: the last part takes whatever is left'],
  [
    'src/web/kit/markdown/inline.ts',
    2,
    '110 characters; an address, which the server cuts at 2,100',
  ],
]

const ALLOWED = new Map(BOUNDED.map(([file, count]) => [file, count]))

/** @returns {string[]} the expressions of a source whose time grows faster than their text. */
export function slowExpressions(code, lang = 'ts') {
  return [...walk(parseAst(code, { lang }))]
    .filter(({ type, regex }) => type === 'Literal' && regex)
    .filter(
      ({ regex: { pattern, flags } }) => analyse({ source: pattern, flags }).reports.length > 0,
    )
    .map(({ start, end }) => code.slice(start, end))
}

function* walk(node) {
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && 'type' in child) yield* walk(child)
}

/**
 * @param {{ file: string, slow: string[] }[]} sources
 * @param {Map<string, number>} allowed
 * @returns {string[]} a line for each file with more or fewer slow expressions than the list says.
 */
export function strayExpressions(sources, allowed) {
  return sources.flatMap(({ file, slow }) => {
    const listed = allowed.get(file) ?? 0
    if (slow.length === listed) return []
    return [
      `${file} has ${slow.length} expressions that may take the square of their text, ${listed} are listed: begin a run with what does not stand before it ((?<!x)x+$), read it by code (trimSigns, splitList), or name the bound of its text in scripts/check-expressions.mjs\n  ${slow.join('\n  ')}`,
    ]
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(import.meta.dirname, '..')
  const sources = globSync(['src/**/*.{ts,tsx}', 'durable-objects/**/*.ts'], { cwd: root })
    .filter((file) => !file.endsWith('.d.ts'))
    .map((file) => ({
      file,
      slow: slowExpressions(readFileSync(join(root, file), 'utf8'), extname(file).slice(1)),
    }))
  const stray = strayExpressions(sources, ALLOWED)
  for (const line of stray) console.error(line)
  if (stray.length > 0) process.exit(1)
}
