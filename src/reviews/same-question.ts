import { detectMode, pairTokens, splitRuns, wordToken } from '../text/analyze'
import { isFunctionWord, type LatinMode } from '../text/latin-language'

/** A question reduced to what it asks about, so that two can be compared. */
export interface QuestionKey {
  /** Words, and pairs of characters where words have no spaces; politeness and question forms are left out. */
  words: readonly string[]
  pairs: readonly string[]
  /** A short question hardly shows its language, so two are compared in the language of either. */
  mode: LatinMode
  numbers: string
  /** When, where, who, how much, why, not: what turns the same words into another question. */
  asks: string
}

/** Dice's coefficient of the topics: when one question says all that the other says, and when each says something else. */
const ENLARGED = 0.7
const REWORDED = 0.86
/** Trained embedders put a paraphrase above this and a neighbour below. */
const SAME_COSINE = 0.92
const TYPO_LENGTH = 6

const ASKS: [string, RegExp][] = [
  [
    'when',
    /\b(?:when|what (?:time|day|date))\b|cu[áa]ndo|qu[ée] (?:hora|d[ií]a)|\bquand\b|quelle heure|когда|во сколько|[什甚][么麼](?:时候|時候|时间|時間)|何[时時]|[几幾][点點]|متى/u,
  ],
  [
    'where',
    /\bwhere\b|d[óo]nde|(?<!\p{L})où(?!\p{L})|(?<!\p{L})(?:где|куда|откуда)(?!\p{L})|哪[里裡裏儿兒]|在哪|何[处處]|أين/u,
  ],
  [
    'who',
    /\b(?:who|whom|whose)\b|qui[ée]n|\b(?:à|de) qui\b|(?<!\p{L})к(?:то|ого|ому)(?!\p{L})|[谁誰]/u,
  ],
  [
    'how much',
    /\bhow (?:many|much|long|often|old|far|big)\b|cu[áa]nt[oa]s?|combien|сколько|多少|多久|多[长長]|[几幾](?![点點])|(?<!\p{L})كم(?!\p{L})/u,
  ],
  ['why', /\bwhy\b|por qu[ée]|pourquoi|почему|зачем|[为為](?:什[么麼]|何)|لماذا/u],
  [
    'not',
    /\b(?:not|never|without|cannot|can['’]t|won['’]t|doesn['’]t|don['’]t|isn['’]t|sin|no|pas|sans)\b|(?<!\p{L})(?:не|нет|без)(?!\p{L})|[不没沒无無]|(?<!\p{L})(?:لا|لم|بدون)(?!\p{L})/u,
  ],
]
/** Question forms of unspaced scripts; those that `ASKS` keeps apart are no part of the topic either. */
const UNSPACED_FORMS =
  /能不能|可不可以|是不是|[会會]不[会會]|有[没沒]有|[请請][问問]|我(?:想|要|该|該)?(?:知道)?|你[们們]?|您|[怎][么麼样樣]+|如何|可以|能[够夠]?|告[诉訴]|一下|[吗嗎呢吧啊的了是在]|[什甚][么麼](?:时候|時候|时间|時間)?|何[时時]|[几幾][点點]?|哪[里裡裏儿兒]?|多[少久长長]|[谁誰]|[为為]何?|教えて|ください|ですか|ますか|どうやって|とは|の|を|は|が|に|へ|で/gu
const POLITE_WORDS = new Set(
  (
    'please hello hi hey tell know need want like could would possible help thanks thank there any get ' +
    'hola por favor quiero quisiera necesito saber decir ayuda gracias puedo puede puedes hay ' +
    'bonjour salut plait voudrais veux savoir dire aider merci peux peut puis faut faire ' +
    'пожалуйста здравствуйте привет подскажите скажите хочу нужно надо можно могу ли мне мой моя мое мои я у вас вы как какой какая какие какое что это есть где куда откуда когда сколько почему зачем кто не нет без в на и с по для до от ' +
    'من فضلك مرحبا اريد احتاج اعرف هل كيف ما ماذا هو هي في على الى عن يمكن يمكنني استطيع لي هذا هذه متى اين كم لماذا لا لم بدون و ' +
    'cuando donde quien quienes cuanto cuantos cuanta cuantas quand combien pourquoi never without cannot long often many much'
  ).split(' '),
)

/** Reads a question for comparison. Pure; works on any script that the knowledge bases index. */
export function analyzeQuestion(question: string): QuestionKey {
  const plain = question.normalize('NFKC').toLowerCase()
  const words: string[] = []
  const pairs: string[] = []
  const numbers = new Set<string>()
  for (const { text, unspaced } of splitRuns(plain)) {
    if (unspaced) {
      for (const part of text.replace(UNSPACED_FORMS, ' ').split(' ')) pairs.push(...pairsOf(part))
    } else if (/^\p{N}/u.test(text)) numbers.add(text)
    else if (!isFunctionWord(text) && !POLITE_WORDS.has(text)) words.push(text)
  }
  const asked = plain.replace(/能不能|可不可以|是不是|[会會]不[会會]|有[没沒]有/gu, '')
  return {
    words,
    pairs,
    mode: detectMode(plain),
    numbers: [...numbers].sort().join(' '),
    asks: ASKS.filter(([, form]) => form.test(asked))
      .map(([name]) => name)
      .join(' '),
  }
}

/** Pairs of characters; a single character stands for itself. */
function pairsOf(run: string): string[] {
  const pairs = pairTokens(run).filter((token) => [...token].length > 1)
  return pairs.length > 0 || run === '' ? pairs : [run]
}

/**
 * Whether two questions ask the same: about the same numbers, in the same sense, and in nearly the same words once
 * politeness and form are off, or near by a trained embedder.
 * @param cosine of their vectors, null where there are none.
 */
export function isSameQuestion(
  one: QuestionKey,
  other: QuestionKey,
  cosine: number | null = null,
): boolean {
  if (one.numbers !== other.numbers || one.asks !== other.asks) return false
  if (cosine !== null && cosine >= SAME_COSINE) return true
  return [...new Set([one.mode, other.mode])].some((mode) =>
    isSameTopic(topicOf(one, mode), topicOf(other, mode)),
  )
}

const topicOf = ({ words, pairs }: QuestionKey, mode: LatinMode) =>
  new Set([...pairs, ...words.map((word) => wordToken(word, mode))])

function isSameTopic(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size === 0 || other.size === 0) return false
  const shared = countShared(one, other)
  const dice = (2 * shared) / (one.size + other.size)
  const enlarged = shared === Math.min(one.size, other.size)
  return dice >= (enlarged ? ENLARGED : REWORDED)
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const rest = new Set(other)
  let shared = 0
  const unmatched: string[] = []
  for (const token of one) {
    if (rest.delete(token)) shared++
    else unmatched.push(token)
  }
  for (const token of unmatched) {
    const typo = [...rest].find((candidate) => isTypo(token, candidate))
    if (typo !== undefined && rest.delete(typo)) shared++
  }
  return shared
}

/** One letter more, less or other, behind the first one of a long word. */
function isTypo(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < TYPO_LENGTH || long.length - short.length > 1) return false
  if (short.charAt(0) !== long.charAt(0)) return false
  let at = 0
  while (at < short.length && short.charAt(at) === long.charAt(at)) at++
  const [restShort, restLong] = [short.slice(at), long.slice(at + 1)]
  return short.length === long.length ? restShort.slice(1) === restLong : restShort === restLong
}
