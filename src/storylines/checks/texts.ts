import type { StoryNode, StoryText } from '../graph'
import type { Examined, Path } from './findings'

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const PROFILE_PLACEHOLDER = /^profile\.([a-z][a-z0-9_]*)$/

export function checkNodeTexts(examined: Examined, key: string, node: StoryNode, path: Path): void {
  const used = new Set((node.slots ?? []).map(({ slot }) => slot))
  const texts: [StoryText | undefined, Path][] = [
    [node.say, [...path, 'say']],
    ...(node.slots ?? []).map(
      ({ ask }, index) => [ask, [...path, 'slots', index, 'ask']] as [StoryText, string[]],
    ),
  ]
  for (const [text, at] of texts) {
    if (text === undefined) continue
    const entries = typeof text === 'string' ? [['', text] as const] : Object.entries(text)
    for (const [lang, one] of entries) {
      checkPlaceholders(examined, one, lang === '' ? at : [...at, lang], key, used)
    }
  }
  checkLanguages(examined, texts, key)
}

function checkPlaceholders(
  examined: Examined,
  text: string,
  path: Path,
  node: string,
  used: ReadonlySet<string>,
): void {
  for (const [whole, inner = ''] of text.matchAll(PLACEHOLDER)) {
    const slot = PROFILE_PLACEHOLDER.exec(inner.trim())?.[1]
    const found = slot === undefined ? undefined : examined.slots.get(slot)
    if (!found) {
      const message = `${whole} is not {{profile.<slot>}} of a declared slot`
      examined.add('unknown_placeholder', path, message, { node })
    } else if (found.sensitive && !used.has(found.key)) {
      const message = `the text shows ${found.key}, which is sensitive`
      examined.add('sensitive_in_text', path, message, { node, warning: true })
    }
  }
}

/** Exact wording is wanted in the same languages wherever it is given. */
function checkLanguages(
  examined: Examined,
  texts: readonly [StoryText | undefined, Path][],
  node: string,
): void {
  const all = examined.languages
  for (const [text, path] of texts) {
    if (text === undefined || typeof text === 'string') continue
    const missing = all.filter((lang) => !Object.hasOwn(text, lang))
    if (missing.length === 0) continue
    const message = `other texts also have ${missing.join(', ')}`
    examined.add('missing_language', path, message, { node, warning: true })
  }
}
