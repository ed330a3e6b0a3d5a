import { isCommonWord } from '../../language/prior'
import { thesaurusOf } from '../../language/thesaurus'
import type { Alignment } from './align'
import { type Figure, sameFigure } from './figures'
import { readForce } from './force'
import { isOpposite } from './held-tokens'
import { FORCE, type Lexicon } from './lexicon'
import { type Block, blocksOf } from './order'
import { spelled, spellsName, wordStarts } from './sign-words'
import { isKatakana, type Token } from './tokens'

/** What a claim says in the place where its evidence says something else. */
interface Replacement {
  said: readonly Token[]
  there: readonly Token[]
  /** The phrases of both with what they share: signs that are left of one spell nothing. */
  phrase: readonly Token[]
  instead: readonly Token[]
  /** Both stand between the same neighbours. */
  closed: boolean
}

export interface ReplacementGround {
  tokens: readonly Token[]
  /** Keys of headings, lead-ins and headers: the evidence may say its subject there. */
  known: ReadonlySet<string>
  /** A row of a table: what stands in it stands beside every cell of it. */
  isRow: boolean
  /** Whether some place of the passage says this. */
  isSaid: (said: readonly Token[]) => boolean
}

/** Words, or signs, of a phrase that another can stand for; what is longer is another sentence. */
const LONGEST = { word: 6, sign: 14 }
/** How many words, or signs, the two may differ in length. */
const SLACK = { word: 3, sign: 6 }
/** A claim in more pieces is another sentence too. */
const MOST_BLOCKS = 40
/** A run of the claim that begins so many tokens later in the evidence than it could is far from the one before. */
const FAR = 4
const COST = { word: 2, sign: 4 }
const LEAST_WEIGHT = 0.5
/** Letters of a stem that make two words forms of one. */
const SAME_START = 4
/** Signs of an unspaced script that a word is made of. */
const LEAST_SIGNS = 2
/** Signs of what is a name rather than a small phrase, where no dictionary has it. */
const LEAST_RARE = 3

/**
 * Whether a claim says its evidence with one thing in another's place: "Kraków" between the words that stand around "Warsaw"
 * there. A name for a name falls, a figure for a figure too, and so does any word that the passage says of something else.
 * Every other word may mean the same and is open, unless both are one word in two forms.
 */
export function judgeReplaced(
  tokens: readonly Token[],
  ground: ReplacementGround,
  alignment: Alignment,
  weights: readonly number[],
  lexicon: Lexicon | null,
): 'stands' | 'falls' | 'open' {
  let open = false
  for (const replacement of replacementsOf(tokens, ground, alignment, weights, lexicon)) {
    const result = judgeOne(replacement, ground, lexicon)
    if (result === 'falls') return 'falls'
    open ||= result === 'open'
  }
  return open ? 'open' : 'stands'
}

function judgeOne(
  { said, there, phrase, instead, closed }: Replacement,
  ground: ReplacementGround,
  lexicon: Lexicon | null,
): 'stands' | 'falls' | 'open' {
  if (isSynonym(said, there, lexicon) || isAsMuch(said, there, lexicon)) return 'stands'
  // A denial is judged by its force, wherever else the passage denies something.
  if (forceOf(said, lexicon) & FORCE.negation) return 'open'
  if (isSign(said[0])) {
    if (isSynonym(phrase, instead, lexicon)) return 'stands'
    if (phrase.length < LEAST_SIGNS || !isSaidOf(instead))
      return closed && isHan(said) && isHan(there) ? 'open' : 'stands'
    if (said.length < LEAST_SIGNS && areEveryday(phrase, instead) && !ground.isSaid(phrase))
      return 'stands'
    if (
      spellsName(instead, lexicon) &&
      (spellsName(phrase, lexicon) || phrase.length > said.length)
    )
      return 'falls'
  }
  if (said.every(({ key }) => ground.known.has(key))) return 'open'
  const [figure, other] = [said[0]?.figure, there[0]?.figure]
  // "14 days" of "two weeks": the words behind the two are their units.
  if (figure && other && isConverted(said, there, figure, other)) return 'stands'
  if (said.length === 1 && there.length === 1 && figure && other)
    return sameFigure(figure, other) ? 'stands' : closed ? 'falls' : 'open'
  if (figure || other || isRelated(said, there, lexicon)) return 'open'
  if (!ground.isSaid(isSign(said[0]) ? phrase : said)) return 'open'
  const isOne =
    (said.length === there.length && (isSign(said[0]) || said.length === 1)) ||
    [...said, ...there].every(isKatakana)
  const [one, theirs] = isSign(said[0]) ? [phrase, instead] : [said, there]
  return (closed && isOne) || (isName(one, lexicon) && isName(theirs, lexicon)) ? 'falls' : 'open'
}

/** Signs of the longest unit of an unspaced script. */
const LONGEST_UNIT = 3

const isConverted = (
  said: readonly Token[],
  there: readonly Token[],
  figure: Figure,
  other: Figure,
): boolean =>
  figure.text !== other.text &&
  sameFigure(figure, other) &&
  [said, there].every(
    ([, ...unit]) => unit.length < 2 || (unit.length <= LONGEST_UNIT && unit.every(isSign)),
  )

/** Whether the one means the same as the other in any text, word for word. */
function isSynonym(
  said: readonly Token[],
  there: readonly Token[],
  lexicon: Lexicon | null,
): boolean {
  if (lexicon === null) return false
  const isWord = isSign(said[0]) || (said.length === 1 && there.length === 1)
  const [one, other] = isSign(said[0])
    ? [spelled(said), spelled(there)]
    : [said[0]?.key ?? '', there[0]?.key ?? '']
  return isWord && thesaurusOf(lexicon.code).synonyms.get(one)?.includes(other) === true
}

const isSaidOf = (there: readonly Token[]) => there.length >= LEAST_SIGNS || !isSign(there[0])

/** The places where claim and evidence go on alike, and what either says between them. */
function replacementsOf(
  tokens: readonly Token[],
  { tokens: evidence, isRow }: ReplacementGround,
  alignment: Alignment,
  weights: readonly number[],
  lexicon: Lexicon | null,
): Replacement[] {
  const chain = chainOf(tokens, evidence, alignment)
  const first = chain[0]
  const last = chain.at(-1)
  if (first === undefined || last === undefined) return []
  const laid = new Set(chain.flatMap(({ from, to }) => range(from, to)))
  const moved = new Set(tokens.flatMap(({ key }, i) => (laid.has(i) ? [] : [key])))
  const found: Replacement[] = []
  const add = (
    said: readonly Token[],
    there: readonly Token[],
    closed: boolean,
    isEnding = false,
  ) => {
    const size = isSign(said[0]) ? 'sign' : 'word'
    // The evidence may go on behind what was replaced: only as much as is said stands in its place.
    const most = isEnding ? said.length + 1 : undefined
    const theirs = there.filter(saysMore).slice(0, most)
    if (!said.some(isContent) || !theirs.some(isContent) || said.length > LONGEST[size]) return
    if (theirs.length > said.length + SLACK[size] && !spellsName(theirs, lexicon)) return
    const beside = isRow ? evidence : theirs
    const left = said.filter((token) => !beside.some((one) => isForm(token, one)))
    // What the claim says elsewhere was moved, not replaced.
    const gone = theirs.filter(
      (one) => !moved.has(one.key) && !said.some((token) => isForm(token, one)),
    )
    if (left.some(isContent) && gone.some(isContent))
      found.push({ said: left, there: gone, phrase: said, instead: theirs, closed })
    else if (!isRow && respells(said, theirs, lexicon))
      found.push({ said, there: theirs, phrase: said, instead: theirs, closed })
  }
  const content = (from: number, to: number) => tokens.slice(from, to).filter(saysMore)
  // At either end of the claim, what its clause of the evidence has at the other end was moved.
  const wasMoved = (i: number, beside: number, [from, to]: readonly [number, number]) => {
    const place = alignment.at[i] ?? -1
    const there = evidence[place]
    return there?.clause === evidence[beside]?.clause && !(place >= from && place < to)
  }
  // What only leads in has no place of its own at the beginning.
  const before = [clauseStart(evidence, first.at), first.at] as const
  const opening = tokens.slice(0, first.from).filter((token, i) => {
    const says = isSign(token) ? saysMore(token) : (weights[i] ?? 0) >= LEAST_WEIGHT
    return says && !wasMoved(i, first.at, before)
  })
  add(opening, evidence.slice(...before), false)
  for (const [i, block] of chain.slice(1).entries()) {
    const before = chain[i]
    if (before !== undefined)
      add(content(before.to, block.from), evidence.slice(endOf(before), block.at), true)
  }
  const end = endOf(last)
  const behind = [end, clauseEnd(evidence, end - 1)] as const
  const ending = tokens
    .slice(last.to)
    .filter((token, k) => saysMore(token) && !wasMoved(last.to + k, end - 1, behind))
  add(ending, evidence.slice(...behind), false, true)
  return found
}

/** A rare word of as many signs, changed in one that is a small word by itself, or stands in it twice. */
const respells = (
  said: readonly Token[],
  theirs: readonly Token[],
  lexicon: Lexicon | null,
): boolean =>
  isSign(said[0]) &&
  said.length === theirs.length &&
  said.length >= LEAST_RARE &&
  spelled(said) !== spelled(theirs) &&
  (spellsName(theirs, lexicon) || !isCommonWord(spelled(theirs)))

const isContent = ({ light }: Token) => !light
/** A sign that is a small word by itself is part of other words too. */
const saysMore = (token: Token) =>
  !token.light || (isSign(token) && /\p{Script=Han}/u.test(token.word))

/** What countries, places and offices are called by: words that share it are not alike. */
const KINDS = /[国國州市省县縣长長员員師师]$/u

/** Two everyday words with a sign in common are mostly two words for one thing. */
const areEveryday = (said: readonly Token[], there: readonly Token[]): boolean =>
  [said, there].every((tokens) => isCommonWord(spelled(tokens)) && !KINDS.test(spelled(tokens)))

const isHan = (tokens: readonly Token[]) =>
  tokens.every(({ word }) => /^\p{Script=Han}$/u.test(word))

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => from + k)

function clauseStart(evidence: readonly Token[], at: number): number {
  let start = at
  while (start > 0 && evidence[start - 1]?.clause === evidence[at]?.clause) start--
  return start
}

function clauseEnd(evidence: readonly Token[], at: number): number {
  let end = at + 1
  while (end < evidence.length && evidence[end]?.clause === evidence[at]?.clause) end++
  return end
}

const crosses = (tokens: readonly Token[], one: number, other: number) =>
  tokens[one]?.clause !== tokens[other]?.clause

const endOf = ({ from, to, at }: Block) => at + to - from

/**
 * The runs of a claim that stand in its evidence in the same order: the heaviest such chain. A run that is far from the one
 * before costs as much as a short phrase weighs, since a word stands elsewhere as well.
 */
function chainOf(
  tokens: readonly Token[],
  evidence: readonly Token[],
  alignment: Alignment,
): Block[] {
  const [starts, there] = [wordStarts(tokens), wordStarts(evidence)]
  const blocks = blocksOf(tokens, alignment)
    .map((block) => ofWholeWords(block, starts, there))
    .filter(({ from, to }) => to - from > 1 || (to > from && tokens[from]?.light === false))
  if (blocks.length > MOST_BLOCKS) return []
  const best: { weight: number; before: number }[] = []
  for (const [i, block] of blocks.entries()) {
    let weight = 0
    let before = -1
    for (const [k, other] of blocks.slice(0, i).entries()) {
      const apart = block.at - endOf(other)
      const jumps =
        apart - (block.from - other.to) > FAR ||
        crosses(evidence, endOf(other) - 1, block.at) !== crosses(tokens, other.to - 1, block.from)
      const cost = jumps ? (isSign(tokens[block.from]) ? COST.sign : COST.word) : 0
      const known = (best[k]?.weight ?? 0) - cost
      if (apart >= 0 && known > weight) {
        weight = known
        before = k
      }
    }
    best.push({ weight: weight + block.to - block.from, before })
  }
  let last = -1
  for (const [i, { weight }] of best.entries()) if (weight > (best[last]?.weight ?? 0)) last = i
  const chain: Block[] = []
  for (; last >= 0; last = best[last]?.before ?? -1) chain.unshift(...blocks.slice(last, last + 1))
  return chain
}

/** Without the signs at its ends that are part of another word in the claim or in the evidence: they lay no word over another. */
function ofWholeWords(
  { from, to, at }: Block,
  claim: ReadonlySet<number>,
  evidence: ReadonlySet<number>,
): Block {
  const isEdge = (k: number) => claim.has(k) && evidence.has(at + k - from)
  let [first, last] = [from, to]
  while (first < last && !isEdge(first)) first++
  while (last > first && !isEdge(last)) last--
  return { from: first, to: last, at: at + first - from }
}

/** One word in two forms, or one sign. */
export function isForm(one: Token, other: Token): boolean {
  if (one.key === other.key) return true
  if (one.kind !== 'word' || other.kind !== 'word' || isOpposite(one.word, other.word)) return false
  const [short, long] =
    one.key.length < other.key.length ? [one.key, other.key] : [other.key, one.key]
  const start = Math.max(SAME_START, Math.ceil(short.length * 0.6))
  return (
    (short.length >= SAME_START && long.startsWith(short.slice(0, start))) ||
    (short.length >= SAME_START + 1 && long.includes(short))
  )
}

/** Whether the thesaurus has the one for the other: close enough not to be told wrong. */
function isRelated(
  said: readonly Token[],
  there: readonly Token[],
  lexicon: Lexicon | null,
): boolean {
  if (lexicon === null) return false
  const { synonyms, kin } = thesaurusOf(lexicon.code)
  const [one, other] = isSign(said[0])
    ? [[spelled(said)], [spelled(there)]]
    : [said.map(({ key }) => key), there.map(({ key }) => key)]
  return one.some((key) =>
    [synonyms, kin].some((groups) => groups.get(key)?.some((word) => other.includes(word))),
  )
}

/** Whether both tell alike that something is not always, or not all: "usually" and "typically". */
function isAsMuch(
  said: readonly Token[],
  there: readonly Token[],
  lexicon: Lexicon | null,
): boolean {
  const [one, other] = [forceOf(said, lexicon), forceOf(there, lexicon)]
  return one === other && (one === FORCE.most || one === FORCE.some)
}

/** What words do that do nothing else. */
function forceOf(tokens: readonly Token[], lexicon: Lexicon | null): number {
  const [mark] = readForce(tokens, lexicon)
  return mark?.length === tokens.length ? mark.bits : 0
}

const isSign = (token: Token | undefined) => token?.kind === 'sign'

/** A rare word, one with a capital where only names have it, or two nouns in a row where all nouns have it ("Robert Lane"). */
function isName(tokens: readonly Token[], lexicon: Lexicon | null): boolean {
  if (tokens.length > 1 && tokens.every(({ capital }) => capital)) return true
  if (isSign(tokens[0])) return tokens.length >= LEAST_SIGNS && !isCommonWord(spelled(tokens))
  return tokens.some(
    (token) =>
      token.kind === 'word' &&
      ((token.capital && lexicon?.capitals === true) || !isCommonWord(token.key)),
  )
}
