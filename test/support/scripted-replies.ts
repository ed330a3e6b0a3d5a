import type { Passage } from '../../src/knowledge/types'
import { passage } from './passages'

/** Passages of our own writing, in eight languages, with the things that make quotes hard: brackets, marks, lists, numbers. */
export const CORPUS: readonly Passage[] = [
  passage(
    1,
    'The tea house “Quiet Leaf” opens at 7:30 and closes at 19:00. On Sundays [see note 2] it stays shut; the garden, however, is open all day. A pot of oolong costs 4.50 and serves two.',
    { start: 1200 },
  ),
  passage(
    2,
    'Returns are accepted within 30 days. Keep the receipt: without it we can only offer a voucher.\n\n- Pack the item in its box\n- Print the label | it is on page [3]\n- Hand the parcel to any post office\n\nThe refund takes five working days.',
    { start: 40 },
  ),
  passage(
    3,
    '茶馆早上七点半开门，晚上七点关门。星期日休息；不过，花园全天开放。一壶乌龙茶 45 元，可供两人享用。退货须在 30 天内办理。',
    { start: 300 },
  ),
  passage(
    4,
    '圖書館的自習室需要預約，每人每天最多使用四小時。「逾時未到者」會被取消資格，並於七天後才能再次申請。',
    { start: 0 },
  ),
  passage(
    5,
    'La biblioteca presta hasta ocho libros durante 21 días. ¿Puede renovarse el préstamo? Sí, dos veces, si nadie ha reservado el ejemplar. La multa es de 0,20 € por día y libro.',
    { start: 77 },
  ),
  passage(
    6,
    'Мастерская чинит велосипеды за два дня. Стоимость диагностики — 500 рублей, её вычтут из счёта. Ёлочные гирлянды, т. е. любые электрические изделия, не принимаются.',
    { start: 5000 },
  ),
  passage(
    7,
    'L’atelier est ouvert de 9 h à 18 h, sauf le lundi. Les réparations coûtent au plus 80 € ; au-delà, un devis « écrit » est envoyé. N’oubliez pas la pièce d’identité.',
    { start: 640 },
  ),
  passage(
    8,
    'يفتح المتحف أبوابه من الساعة 10 صباحًا حتى 6 مساءً. الدخول مجاني لمن هم دون 12 عامًا. يُمنع التصوير بالفلاش داخل القاعات.',
    { start: 18 },
  ),
  passage(
    9,
    '図書館は午前九時に開きます。「静かにしてください」と書かれた札がある部屋では、電話は使えません。カードの再発行は 500 円です。',
    { start: 900 },
  ),
  passage(
    10,
    'Die Werkstatt öffnet am 5. Mai um 9 Uhr. Straßenräder, Lastenräder usw. werden nach Größe berechnet: klein 20 €, groß 35 €. Ein Ersatzrad gibt es [auf Anfrage] dazu.',
    { start: 33 },
  ),
]

const INVENTED: readonly string[] = [
  'the moon is made of quiet cheese',
  'every visitor receives a silver spoon',
  '免费赠送一台电视机',
  'todos los gatos vuelan de noche',
  'все слоны умеют петь хором',
  'chaque visiteur reçoit un lingot d’or',
  'يحصل كل زائر على جمل',
  'every parcel is delivered by a [trained | owl]',
]

/** Sentences that no passage supports: no mark can carry them. */
const CLAIMS: readonly string[] = [
  'Zorblax plimery vondrates the gribble',
  'Quaffeln mirdeln die Snörpe',
  'Los trinfos glaban muy sarpos',
  'Крудлики бармят зюльки',
  'Les gloubs frinent la tarpoule',
  '瓩兛嚸彁墸',
]

export type QuoteKind = 'right' | 'wrong' | 'invented' | 'misplaced'

export interface ScriptedSentence {
  /** Names the sentence in the reply: no other holds it. */
  sentinel: string
  kind: QuoteKind
  n: number
  quote: string
}

export interface ScriptedReply {
  text: string
  sentences: ScriptedSentence[]
}

/** A small deterministic generator (mulberry32): the same seed gives the same replies on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The reference: does the passage hold the quote, with case, width and white space set aside? Shares no code with ours. */
export function holds(text: string, quote: string): boolean {
  const plain = (value: string) =>
    value
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[“”„«»]/g, '"')
      .replaceAll(/[’‘]/g, "'")
      .replaceAll(/[–—−]/g, '-')
      .replaceAll(/\s+/g, '')
  return plain(text).includes(plain(quote))
}

/** One reply of 1 to 6 sentences, each with one mark, some as list items, with right, wrong and invented quotes. */
export function scriptReply(seed: number): ScriptedReply {
  const random = createRandom(seed)
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const count = 1 + Math.floor(random() * 6)
  const list = random() < 0.25
  const sentences: ScriptedSentence[] = []
  const parts: string[] = []
  for (let i = 0; i < count; i++) {
    const { kind, n, quote, says } = scriptQuote(random, pick)
    const sentinel = `Qx${seed}y${i}z`
    const mark = writeMark(n, quote, random, pick)
    const claim = `${says ?? pick(CLAIMS)} \`{${sentinel}}\``
    const stop = pick(['.', '.', '!', '。'])
    const behind = random() < 0.3
    const body = behind ? `${claim}${stop} ${mark}` : `${claim} ${mark}${stop}`
    parts.push(list ? `- ${body}` : body)
    sentences.push({ sentinel, kind, n, quote })
  }
  return { text: parts.join(list ? '\n' : pick([' ', ' ', '\n\n'])), sentences }
}

type Pick = <T>(items: readonly T[]) => T

interface Quoted extends Omit<ScriptedSentence, 'sentinel'> {
  /** The sentence that the quote is from, for it to prove; null for one that nothing proves. */
  says: string | null
}

function scriptQuote(random: () => number, pick: Pick): Quoted {
  for (;;) {
    const source = pick(CORPUS)
    const roll = random()
    if (roll < 0.5) {
      const says = pick(sentencesOf(source.text))
      const slice = sliceOf(says, random)
      if (slice === null) continue
      return { kind: 'right', n: source.n, quote: disguise(slice, random), says }
    }
    const slice = sliceOf(source.text, random)
    if (slice === null) continue
    if (roll < 0.7) {
      const quote = spoil(slice, random)
      if (isWrong(source.text, quote)) return { kind: 'wrong', n: source.n, quote, says: null }
      continue
    }
    if (roll < 0.85) {
      const quote = pick(INVENTED)
      if (!holds(source.text, quote)) return { kind: 'invented', n: source.n, quote, says: null }
      continue
    }
    const other = random() < 0.5 ? pick(CORPUS).n : 11 + Math.floor(random() * 80)
    const there = CORPUS.find((candidate) => candidate.n === other)
    if (there === undefined || isWrong(there.text, slice))
      return { kind: 'misplaced', n: other, quote: slice, says: null }
  }
}

/** A passage's plain sentences without their full stop: no brackets, no abbreviations, nothing a mark could be read in. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.؟?])\s+|(?<=。)/u)
    .map((sentence) => sentence.replace(/[.。؟?]$/u, '').trim())
    .filter(
      (sentence) =>
        sentence.length >= 16 && !/[[\]|\n:;(]|[“”«»「」]|\p{L}\.|:\d|\d$|^\p{Ll}/u.test(sentence),
    )
}

/** Not held, nor right up to a bracket in it: that would be a right quote with some text behind it. */
function isWrong(text: string, quote: string): boolean {
  const [head = '', ...tail] = quote.split(/[\]】］]/u)
  return !holds(text, quote) && (tail.length === 0 || !holds(text, head))
}

/** A part of a passage: from anywhere to anywhere, in the middle of words, over line breaks. */
function sliceOf(text: string, random: () => number): string | null {
  const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Arabic}]/u.test(text)
  const least = wide ? 9 : 14
  const length = least + Math.floor(random() * 70)
  const start = Math.floor(random() * Math.max(1, text.length - least))
  const slice = text.slice(start, start + length)
  // Text, not only signs, and no half of a character that takes two.
  const letters = slice.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  return letters >= 8 && !/^\p{M}/u.test(slice) ? slice.trim() : null
}

/** The same words as another hand would write them. */
function disguise(slice: string, random: () => number): string {
  const roll = random()
  if (roll < 0.2)
    return slice.toUpperCase().normalize('NFC').toLowerCase() === slice.toLowerCase()
      ? slice.toUpperCase()
      : slice
  if (roll < 0.35) return slice.replaceAll(' ', '  ')
  if (roll < 0.45) return slice.replaceAll(' ', '\n')
  if (roll < 0.55)
    return slice.replaceAll(/[0-9]/g, (d) => String.fromCharCode(d.charCodeAt(0) + 0xfee0))
  if (roll < 0.65) return slice.replaceAll(/[“”]/g, '"').replaceAll('’', "'")
  if (roll < 0.7) return slice.normalize('NFD')
  return slice
}

/** The same words with one thing changed. */
function spoil(slice: string, random: () => number): string {
  const digits = [...slice.matchAll(/\d/g)]
  const digit = digits[0]
  if (digit !== undefined && random() < 0.6)
    return slice.replace(digit[0], String((Number(digit[0]) + 3) % 10))
  const middle = Math.floor(slice.length / 2)
  return random() < 0.5
    ? `${slice.slice(0, middle)}qzv${slice.slice(middle)}`
    : slice.slice(0, middle) + slice.slice(middle + 1)
}

function writeMark(n: number, quote: string, random: () => number, pick: Pick): string {
  const roll = random()
  if (roll < 0.5) return `[${n}|${quote}]`
  if (roll < 0.65) return `[${n}|"${quote}"]`
  if (roll < 0.75) return `[${n} | “${quote}”]`
  if (roll < 0.85) return `【${n}｜${quote}】`
  return `[${pick(['', '^', '#', 'source '])}${n}|${quote}]`
}
