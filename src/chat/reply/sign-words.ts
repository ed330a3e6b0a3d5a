import type { Lexicon } from './lexicon'
import { segmentsOf } from './segments'
import { isKatakana, type Token } from './tokens'

/**
 * Where a word begins among the signs of an unspaced text, as a dictionary cuts it; beside anything else a word begins too.
 * Signs that it cuts one by one, none of them a small word, spell what no dictionary has: a name. So does katakana in a row.
 */
export function wordStarts(tokens: readonly Token[]): ReadonlySet<number> {
  const starts = new Set<number>([0, tokens.length])
  for (let from = 0; from < tokens.length; ) {
    let to = from + 1
    const isOne = isKatakana(tokens[from])
    if (tokens[from]?.kind === 'sign')
      while (
        tokens[to]?.kind === 'sign' &&
        tokens[to]?.clause === tokens[from]?.clause &&
        isKatakana(tokens[to]) === isOne
      )
        to++
    let at = from
    let isAlone = false
    const segments = isOne || to === from + 1 ? [''] : segmentsOf(spelled(tokens.slice(from, to)))
    for (const segment of segments) {
      const wasAlone = isAlone
      isAlone = [...segment].length === 1 && tokens[at]?.light === false
      if (!wasAlone || !isAlone) starts.add(at)
      at += [...segment].length
    }
    from = to
    starts.add(from)
  }
  return starts
}

export const spelled = (tokens: readonly Token[]) => tokens.map(({ word }) => word).join('')

const LEAST_SPELLED = 2
/** Of a longer name's signs, some are everyday ones. */
const MOSTLY = { length: 3, share: 0.6 }

/** Whether signs spell a foreign name: katakana, or in Chinese hardly anything but signs of such names. */
export function spellsName(tokens: readonly Token[], lexicon: Lexicon | null): boolean {
  if (tokens.length < LEAST_SPELLED) return false
  if (tokens.every(isKatakana)) return true
  const spelling = tokens.filter(({ word }) => lexicon?.nameSigns.has(word)).length
  return spelling >= tokens.length * (tokens.length < MOSTLY.length ? 1 : MOSTLY.share)
}
