import { type EvidencePack, SMALL_TALK, type SmallTalk } from '../language/pack'
import { EVIDENCE_PACKS } from '../language/packs'

export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** What stands between two parts: "who are you and what can you do?" is two. */
const BETWEEN = /[,.!?:;~，。！？：；～،؟\n]+|\s(?:and|y|et|и)\s|\s(?=و\p{L})/u

export interface Phrase {
  text: string
  words: string[]
  kind: SmallTalk
}

export interface Somewhere {
  kind: SmallTalk
  squeezed: string
  /** Not made of words alone with which other questions begin ("how do you do"). */
  telling: boolean
}

const SOMEWHERE: readonly SmallTalk[] = ['thanks', 'bye', 'howAreYou', 'who']

/** A language's small talk, normalised; the longest fillers first. */
export interface Talk {
  pack: EvidencePack
  phrases: Phrase[]
  /** The same, by their number of words: hardly any question has as few as these. */
  ofLength: ReadonlyMap<number, Phrase[]>
  /** Thanks and farewells, which people make remarks around; the longest first. */
  partings: readonly Phrase[]
  /** The same by their first and by their last word. */
  partingsBy: ReadonlyMap<string, Phrase[]>
  /** What tells small talk wherever it stands; the longest first. */
  somewhere: readonly Somewhere[]
  /** Words that such remarks are made of. */
  remarks: ReadonlySet<string>
  fillers: Fillers
}

/** What may stand around small talk, and by its first and last word: most messages begin and end with none of these. */
interface Fillers {
  all: readonly string[]
  byFirst: ReadonlyMap<string, string[]>
  byLast: ReadonlyMap<string, string[]>
}

let talks: Talk[] | null = null

export function allTalks(): Talk[] {
  talks ??= EVIDENCE_PACKS.map(readTalk)
  return talks
}

function readTalk(pack: EvidencePack): Talk {
  const { smallTalk } = pack
  const phrases = SMALL_TALK.flatMap((kind) =>
    [...smallTalk.phrases[kind], ...(kind === 'thanks' ? smallTalk.praise : [])].map((phrase) => {
      const text = normalize(phrase)
      return { text, words: text.split(' '), kind }
    }),
  )
  const fillers = smallTalk.fillers.map(normalize).sort((one, other) => other.length - one.length)
  const praise = smallTalk.praise.map(normalize)
  const { thanks, bye } = smallTalk.phrases
  const { remarks, noted } = smallTalk
  const light = new Set(pack.functionWords.map(normalize))
  const words = [thanks, bye, praise, noted, remarks, smallTalk.fillers, pack.functionWords].flat()
  const partings = phrases
    .filter(({ kind }) => kind === 'thanks' || kind === 'bye')
    .sort((one, other) => other.text.length - one.text.length)
  const byWord = partings.flatMap((one) =>
    [...new Set([firstWord(one.text), lastWord(one.text)])].map((word) => ({ word, one })),
  )
  return {
    pack,
    phrases,
    partings,
    somewhere: phrases
      .filter(({ kind, text }) => SOMEWHERE.includes(kind) && !praise.includes(text))
      .map(({ kind, text, words }) => ({
        kind,
        squeezed: squeeze(text),
        telling: pack.unspaced ? kind === 'howAreYou' : words.some((word) => !light.has(word)),
      }))
      .sort((one, other) => other.squeezed.length - one.squeezed.length),
    partingsBy: new Map(
      [...Map.groupBy(byWord, ({ word }) => word)].map(([word, all]) => [
        word,
        all.map(({ one }) => one),
      ]),
    ),
    remarks: new Set(words.flatMap((word) => normalize(word).split(' '))),
    ofLength: Map.groupBy(phrases, ({ words }) => words.length),
    fillers: {
      all: fillers,
      byFirst: Map.groupBy(fillers, firstWord),
      byLast: Map.groupBy(fillers, lastWord),
    },
  }
}

/** What a message says one after the other, normalised. */
export const partsOf = (message: string): string[] =>
  message
    .split(BETWEEN)
    .map(normalize)
    .filter((part) => part !== '')

/** Without the fillers at both ends. */
export function withoutFillers(plain: string, { all, byFirst, byLast }: Fillers): string {
  const gap = UNSPACED.test(plain) ? '' : ' '
  let rest = plain
  for (;;) {
    const [firsts, lasts] =
      gap === '' ? [all, all] : [byFirst.get(firstWord(rest)), byLast.get(lastWord(rest))]
    if (firsts?.includes(rest)) return ''
    const first = firsts?.find((filler) => rest.startsWith(filler + gap))
    const last = lasts?.find((filler) => rest.endsWith(gap + filler))
    if (first !== undefined) rest = rest.slice(first.length).trim()
    else if (last !== undefined) rest = rest.slice(0, -last.length).trim()
    else return rest
  }
}

export const firstWord = (text: string): string => text.split(' ', 1)[0] ?? ''

export const lastWord = (text: string): string => text.slice(text.lastIndexOf(' ') + 1)

/** Lower case without marks, punctuation and emoji, so that "¡Buenos días! 🙂" equals "buenos dias". */
export function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Cf}\u0640]/gu, '')
    .replaceAll(/[^\p{L}\p{N}\s-]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

/** "Merciii" is "merci". */
export const squeeze = (text: string): string => text.replaceAll(/(\p{L})\1+/gu, '$1')
