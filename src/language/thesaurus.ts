import { loadThesaurusGroups } from '../lazy'

type Groups = ReadonlyMap<string, readonly string[]>

let written: typeof import('./thesaurus.lazy') | null = null
let loading: Promise<void> | null = null
const read = new Map<string, Groups>()
const verbs = new Map<string, ReadonlySet<string>>()

/**
 * To be awaited before a question is read: without it only the packs' own words stand for others. Once an isolate; a
 * failure is told to whoever waits, and the next one tries again.
 */
export function loadThesaurus(): Promise<void> {
  if (written !== null) return LOADED
  loading ??= loadThesaurusGroups()
    .then((lists) => {
      written = lists
    })
    .finally(() => {
      loading = null
    })
  return loading
}

const LOADED = Promise.resolve()
const NONE: readonly string[] = []

/** Stems of what people of a language say for a word, given by its stem; in unspaced scripts whole words. */
export function othersOf(code: string, stem: string): readonly string[] {
  if (written === null) return NONE
  const language = languageOf(code)
  let groups = read.get(language)
  if (groups === undefined) {
    groups = readGroups(written.GROUPS[language] ?? '')
    read.set(language, groups)
  }
  return groups.get(stem) ?? NONE
}

/** Whether a word is an everyday verb: a base that lacks it may well speak of the thing that it is said of. */
export function isEverydayVerb(code: string, word: string): boolean {
  if (written === null) return false
  const language = languageOf(code)
  let words = verbs.get(language)
  if (words === undefined) {
    words = new Set((written.VERBS[language] ?? '').split(' '))
    verbs.set(language, words)
  }
  return words.has(word)
}

/** A short line of Han characters does not tell which of the two it is written in. */
const languageOf = (code: string): string => (code === 'zh-TW' ? 'zh' : code)

function readGroups(line: string): Groups {
  const groups = new Map<string, string[]>()
  for (const group of line.split(';')) {
    const words = group.split(' ')
    for (const word of words) {
      const known = groups.get(word) ?? []
      known.push(...words.filter((other) => other !== word))
      groups.set(word, known)
    }
  }
  return groups
}
