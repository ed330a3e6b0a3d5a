import { loadThesaurusGroups } from '../lazy'

type Groups = ReadonlyMap<string, readonly string[]>

let written: Readonly<Record<string, string>> | null = null
let loading: Promise<void> | null = null
const read = new Map<string, Groups>()

/**
 * To be awaited before a question is read: without it only the packs' own words stand for others. Once an isolate; a
 * failure is told to whoever waits, and the next one tries again.
 */
export function loadThesaurus(): Promise<void> {
  if (written !== null) return LOADED
  loading ??= loadThesaurusGroups()
    .then(({ GROUPS }) => {
      written = GROUPS
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
  const language = code === 'zh-TW' ? 'zh' : code
  let groups = read.get(language)
  if (groups === undefined) {
    groups = readGroups(written[language] ?? '')
    read.set(language, groups)
  }
  return groups.get(stem) ?? NONE
}

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
