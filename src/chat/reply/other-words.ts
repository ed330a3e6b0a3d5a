import { thesaurusOf } from '../../language/thesaurus'
import type { ForceMark } from './force'
import type { Ground } from './ground'
import { FORCE, type Lexicon } from './lexicon'
import { segmentsOf } from './segments'
import { spelled } from './sign-words'
import type { Token } from './tokens'

/** How much of a word is held that the thesaurus has for one of the evidence: nothing stands by that alone. */
const MEANT = 0.7
/** Signs that make a word of an unspaced script. */
const LEAST_SIGNS = 2

/** How much of each token the evidence may hold in other words, beside what it holds. */
export function holdMeant(
  tokens: readonly Token[],
  ground: Ground,
  held: readonly number[],
  lexicon: Lexicon | null,
): number[] {
  const meant = [...held]
  if (lexicon === null) return meant
  const there = [...ground.tokens, ...ground.context]
  if (lexicon.unspaced) holdSigns(tokens, spelled(there), meant, lexicon)
  const keys = new Set(there.map(({ key }) => key))
  const { synonyms, kin } = thesaurusOf(lexicon.code)
  for (const [i, { key, kind, light }] of tokens.entries()) {
    if (light || kind !== 'word' || (held[i] ?? 0) >= MEANT) continue
    const isMeant = [synonyms, kin].some((words) =>
      words.get(key)?.some((other) => keys.has(other)),
    )
    if (isMeant) meant[i] = MEANT
  }
  return meant
}

/** What has a force and says something, too. */
const SAYING = FORCE.implicit | FORCE.reported

/** What is left of the weights for what a claim says: negations, bounds and the like are judged by their force. */
export function weighSaying(
  weights: readonly number[],
  marks: readonly ForceMark[],
  there: readonly ForceMark[],
): number[] {
  const saying = [...weights]
  const isFree = (mark: ForceMark) => (mark.bits & FORCE.free) !== 0
  for (const mark of marks) {
    const isSaid = (mark.bits & SAYING) !== 0 || (isFree(mark) && !there.some(isFree))
    if (!isSaid) saying.fill(0, mark.at, mark.at + mark.length)
  }
  return saying
}

/** The words among signs that are not held, as a dictionary cuts them. */
function holdSigns(
  tokens: readonly Token[],
  there: string,
  meant: number[],
  { code }: Lexicon,
): void {
  const { synonyms, kin } = thesaurusOf(code)
  for (let from = 0; from < tokens.length; ) {
    let to = from
    while (tokens[to]?.kind === 'sign' && tokens[to]?.clause === tokens[from]?.clause) to++
    let at = from
    for (const word of segmentsOf(spelled(tokens.slice(from, to)))) {
      const end = at + [...word].length
      const isMeant = [synonyms, kin].some((words) =>
        words.get(word)?.some((other) => there.includes(other)),
      )
      if (isMeant && end - at >= LEAST_SIGNS)
        for (let k = at; k < end; k++) meant[k] = Math.max(meant[k] ?? 0, MEANT)
      at = end
    }
    from = Math.max(to, from + 1)
  }
}
