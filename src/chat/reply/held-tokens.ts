import type { Alignment } from './align'
import type { Ground } from './ground'
import type { Lexicon } from './lexicon'
import type { Token } from './tokens'

const NEAR_PREFIX = 4

/** A language whose short words take long endings ("plan", "planında"). */
const AGGLUTINATES = 'tr'

/** Prefixes that make a word its opposite, in the languages that have such. */
const TURNS = new Set(
  'un in im il ir dis non a anti des dés mal miss не без бес вне анти'.split(' '),
)

/** How much of a token the evidence holds: 1 in its place, less where only a near form or a lone sign is there. */
export function holding(
  token: Token,
  i: number,
  { at, run }: Alignment,
  ground: Ground,
  known: ReadonlySet<string>,
  lexicon: Lexicon | null,
): number {
  if ((at[i] ?? -1) >= 0) return token.kind === 'sign' && (run[i] ?? 0) < 2 ? 0.5 : 1
  if (known.has(token.key)) return 1
  if (token.kind !== 'word' || token.light) return 0
  const agglutinates = lexicon?.code === AGGLUTINATES
  if (isNear(token, ground, agglutinates) || isCaseForm(token, ground, lexicon)) return 0.8
  return 0
}

const LEAST_NAME = 3

/** A name in another case: "Иваном" of "Иван", which a stemmer takes for two words. */
export function isCaseForm(
  { word, capital }: Token,
  ground: Ground,
  lexicon: Lexicon | null,
): boolean {
  const cases = lexicon?.nameCases
  if (!capital || cases === undefined || cases.size === 0) return false
  const isForm = (other: string) => {
    let same = 0
    while (same < word.length && word[same] === other[same]) same++
    for (let cut = same; cut >= LEAST_NAME && cut >= same - 1; cut--)
      if (cases.has(word.slice(cut)) && cases.has(other.slice(cut))) return true
    return false
  }
  return [...ground.tokens, ...ground.context].some(
    (token) => token.kind === 'word' && isForm(token.word),
  )
}

/** Another form of a word that the evidence has: an inflection, a part of a compound. */
function isNear(token: Token, ground: Ground, agglutinates: boolean): boolean {
  const least = Math.max(NEAR_PREFIX, Math.ceil(token.key.length * 0.6))
  if (token.key.length < NEAR_PREFIX) return false
  const start = token.key.slice(0, least)
  const isForm = ({ key, word, kind }: Token) =>
    kind === 'word' &&
    !isOpposite(word, token.word) &&
    (key.startsWith(start) ||
      (key.length >= 5 && token.key.includes(key)) ||
      (agglutinates && token.key.startsWith(key) && key.length >= NEAR_PREFIX) ||
      (token.key.length >= 5 && key.includes(token.key)))
  return ground.tokens.some(isForm) || ground.context.some(isForm)
}

/** Who gives and who gets: "employer", "arrendador", and "employee", "arrendatario". */
const ROLE = /^(.{4,}?)(?:(ad?ore?s?|ad?oras?|ers?|ors?|eurs?)|(?:ees?|atari[oa]s?|ataires?))$/u

function isOtherRole(one: string, other: string): boolean {
  const [first, second] = [ROLE.exec(one), ROLE.exec(other)]
  return (
    first !== null &&
    first[1] === second?.[1] &&
    (first[2] === undefined) !== (second?.[2] === undefined)
  )
}

/** "Unable" beside "able": one is the other behind a prefix that turns it round; so are the two roles of a contract. */
export function isOpposite(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return (
    isOtherRole(one, other) ||
    (short.length >= NEAR_PREFIX &&
      long.endsWith(short) &&
      TURNS.has(long.slice(0, long.length - short.length)))
  )
}
