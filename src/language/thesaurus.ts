import { loadThesaurusLists } from '../lazy'
import { loadSlips } from '../text/slips'
import { loadOnce } from './load-once'
import { loadCommonWords } from './prior'

/** What people say for a word, by its stem; in unspaced scripts by the word itself. */
export interface Thesaurus {
  /** Words that mean the same in any text ("delete", "remove"). */
  readonly synonyms: ReadonlyMap<string, readonly string[]>
  /** Words that visitors of a small organisation use for those of its documents ("bonfire" for "fire"). */
  readonly kin: ReadonlyMap<string, readonly string[]>
  /** Everyday verbs, folded: a base that lacks one may well speak of the thing that it is said of. */
  readonly verbs: ReadonlySet<string>
  /** Words that say little by themselves, beside those of the language packs. */
  readonly small: ReadonlySet<string>
}

const NOTHING: Thesaurus = {
  synonyms: new Map(),
  kin: new Map(),
  verbs: new Set(),
  small: new Set(),
}

const late = loadOnce(loadThesaurusLists)
const both = loadOnce(() => Promise.all([late.load(), loadCommonWords(), loadSlips()]))
const read = new Map<string, Thesaurus>()

/**
 * To be awaited before a question is read: without it no word stands for another and none is an everyday one. Once an
 * isolate; a failure is told to whoever waits, and the next one tries again.
 */
export const loadThesaurus = both.load

/** The thesaurus of a language; an empty one as long as none is loaded. */
export function thesaurusOf(code: string): Thesaurus {
  const lists = late.get()
  if (lists === null) return NOTHING
  // A short line of Han characters does not tell which of the two it is written in.
  const language = code === 'zh-TW' ? 'zh' : code
  let thesaurus = read.get(language)
  if (thesaurus === undefined) {
    const { synonyms, kin, verbs, small } = lists.THESAURUS[language] ?? {}
    thesaurus = {
      synonyms: readGroups(synonyms),
      kin: readGroups(kin),
      verbs: new Set(verbs?.split(' ')),
      small: new Set(small?.split(' ')),
    }
    read.set(language, thesaurus)
  }
  return thesaurus
}

function readGroups(line = ''): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const group of line.split(';')) {
    const words = group.split(' ')
    for (const word of words) {
      const known = groups.get(word) ?? []
      known.push(...words.filter((other) => other !== word && !known.includes(other)))
      groups.set(word, known)
    }
  }
  return groups
}
