import { LANGUAGES } from './claims-languages.mjs'
import { ALIKE, inPairs, PAIRS } from './claims-pairs.mjs'
import { TABLES } from './claims-tables.mjs'
import { TURNS } from './claims-turns.mjs'

/** A small deterministic generator (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What is made of a sentence: right kinds are to be kept, wrong ones dropped. */
export const KINDS = {
  verbatim: { right: true, make: ({ sentence }) => sentence },
  introduced: { right: true, make: introduce },
  shortened: { right: true, make: shorten },
  reordered: { right: true, make: reorder },
  synonyms: { right: true, make: replaceBySynonyms },
  alike: { right: true, make: (material) => replaceAny(material, material.words.alike) },
  number: { right: false, make: changeNumber },
  swapped: { right: false, make: swapNumber },
  'invented bare': { right: false, make: ({ invented }) => capitalise(invented) },
  'invented behind courtesy': {
    right: false,
    make: ({ words, invented }) => words.courtesy + invented,
  },
  'invented as a gap': { right: false, make: ({ words, invented }) => words.gap + invented },
  'invented as a question': {
    right: false,
    make: ({ words, invented }) => words.rhetorical(invented),
  },
  'invented of another text': { right: false, make: ({ foreign }) => foreign },
  name: { right: false, make: changeName },
  'name beside': { right: false, make: changeNameWithin },
  answer: { right: false, make: changeAnswer },
  word: { right: false, make: changeWord },
  'negation added': {
    right: false,
    make: ({ words, sentence }) => replaceFirst(sentence, words.negate),
  },
  'negation dropped': {
    right: false,
    make: ({ words, sentence }) => replaceFirst(sentence, words.denegate),
  },
  quantity: { right: false, make: (material) => replaceWord(material, material.words.quantities) },
  unit: { right: false, make: changeUnit },
  bound: { right: false, make: (material) => replaceWord(material, material.words.bounds) },
  month: { right: false, make: changeMonth },
  prefix: { right: false, make: (material) => replaceWord(material, material.words.prefixes) },
  turned: { right: false, make: turnRound },
  'invented behind a true clause': {
    right: false,
    make: ({ words, sentence, invented }) =>
      `${bare(sentence)}${words.and}${invented}${isWide(sentence) ? '。' : '.'}`,
  },
  'invented joined': {
    right: false,
    make: ({ words, sentence, invented }) =>
      `${bare(sentence)}${words.turns.and}${invented}${isWide(sentence) ? '。' : '.'}`,
  },
  exchanged: { right: false, make: exchangeNumbers },
  date: { right: false, make: changeDay },
  ordinal: { right: false, make: (material) => replacePair(material, 'ordinals') },
  comparison: { right: false, make: (material) => replacePair(material, 'comparisons') },
  opposite: { right: false, make: (material) => replacePair(material, 'opposites') },
  'opposite pairs': {
    right: false,
    make: (material) => replaceAny(material, material.words.opposed),
  },
  time: { right: false, make: (material) => replacePair(material, 'times') },
  currency: { right: false, make: changeCurrency },
  joint: { right: false, make: (material) => replaceWord(material, material.words.turns.joints) },
  denied: {
    right: false,
    make: ({ words, sentence }) => words.turns.denial + lower(sentence),
  },
  'row read': { right: true, make: (material) => readRow(material, 0, [0, 1]) },
  'row exchanged': { right: false, make: (material) => readRow(material, 0, [1, 0]) },
  'row of another': { right: false, make: (material) => readRow(material, 1, [0, 1]) },
  'table read': { right: true, make: (material) => readTable(material, 0) },
  'table of another': { right: false, make: (material) => readTable(material, 1) },
  'list read': { right: true, make: (material) => readList(material, 0) },
  'list moved': { right: false, make: (material) => readList(material, 1) },
}

/** How a mark is written behind a claim; `n` is the passage's number, `quote` a part of the sentence that it was made of. */
export const STYLES = {
  '[n]': ({ n }) => `[${n}]`,
  '[n|quote]': ({ n, quote }) => `[${n}|${quote}]`,
  '[n|word]': ({ n, word }) => `[${n}|${word}]`,
  none: () => '',
  '(n)': ({ n }) => `(${n})`,
  '(Source: n)': ({ n }) => `(Source: ${n})`,
  '<sup>': ({ n }) => `<sup>${n}</sup>`,
  '¹': ({ n }) => '¹²³⁴⁵⁶'.charAt(n - 1),
  '[^n]': ({ n }) => `[^${n}]`,
  '【n†】': ({ n }) => `【${n}†source】`,
}

const isWide = (text) => /[\p{Script=Han}\p{Script=Hiragana}]/u.test(text)
const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1)
const lower = (text) =>
  /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
const bare = (sentence) => sentence.replace(/[.。]$/u, '')

/** Sentences of a passage that say enough to be changed. */
export function sentencesOf(text) {
  const cut = isWide(text)
    ? /(?<=。)/u
    : /\p{Script=Arabic}/u.test(text)
      ? /(?<=[.])\s+/u
      : /(?<=[.])\s+(?=[\p{Lu}\d])/u
  return text
    .split(cut)
    .map((sentence) => sentence.trim())
    .filter((sentence) => {
      const length = isWide(sentence) ? sentence.length : sentence.split(/\s+/u).length
      const [least, most] = isWide(sentence) ? [12, 110] : [7, 40]
      return (
        /[.。]$/u.test(sentence) &&
        length >= least &&
        length <= most &&
        !/["“«「『\n|[\]]/u.test(sentence)
      )
    })
}

function introduce({ words, sentence, random }) {
  const intro = words.intros[Math.floor(random() * words.intros.length)]
  // A name keeps its capital: only small words are lowered.
  const start = /^(?:The|A|An|In|It|This|El|La|Los|Las|En|Der|Die|Das|В|Это|Bu)(?=\s)/u.test(
    sentence,
  )
  return intro + (start && !/: $/u.test(intro) ? lower(sentence) : sentence)
}

/** Without the last or the first part between commas. */
function shorten({ sentence, random }) {
  const parts = bare(sentence).split(/(?:,\s+|，|、(?=.{8}))/u)
  if (parts.length < 3) return null
  const kept = random() < 0.5 ? parts.slice(0, -1) : parts.slice(1)
  const joint = isWide(sentence) ? '，' : ', '
  const text = kept.join(joint)
  return text.length < sentence.length * 0.5
    ? null
    : capitalise(text) + (isWide(sentence) ? '。' : '.')
}

function reorder({ sentence }) {
  const joint = isWide(sentence) ? '，' : ', '
  const parts = bare(sentence).split(joint)
  if (
    parts.length !== 2 ||
    Math.min(...parts.map((part) => part.length)) < (isWide(sentence) ? 6 : 15)
  )
    return null
  return capitalise(`${parts[1]}${joint}${lower(parts[0])}`) + (isWide(sentence) ? '。' : '.')
}

function replaceBySynonyms({ words, sentence }) {
  let text = sentence
  let changed = 0
  for (const [from, to] of words.synonyms) {
    const next = text.replace(wordPattern(from, sentence), to)
    if (next !== text && changed < 2) {
      text = next
      changed++
    }
  }
  return changed === 0 ? null : text
}

const escapePattern = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')
const wordPattern = (word, text) =>
  isWide(text) || !/\p{L}/u.test(word)
    ? new RegExp(escapePattern(word), 'u')
    : new RegExp(`(?<![\\p{L}])${escapePattern(word)}(?![\\p{L}])`, 'u')

const NUMBER = /\d+(?:[.,]\d+)*/gu

function changeNumber({ sentence, passage, random }) {
  const numbers = [...sentence.matchAll(NUMBER)]
  if (numbers.length === 0) return null
  const chosen = numbers[Math.floor(random() * numbers.length)]
  const known = new Set(passage.match(NUMBER))
  for (let step = 1; step < 30; step++) {
    const digits = chosen[0].replace(/\d$/u, (digit) => String((Number(digit) + step) % 10))
    const other = step < 10 ? digits : String(Number.parseInt(chosen[0], 10) + step)
    if (!known.has(other)) return splice(sentence, chosen, other)
  }
  return null
}

function swapNumber({ sentence, passage, random }) {
  const own = [...sentence.matchAll(NUMBER)]
  const values = new Set(own.map(([number]) => number))
  const others = [...new Set(passage.match(NUMBER) ?? [])].filter((number) => !values.has(number))
  if (own.length === 0 || others.length === 0) return null
  const chosen = own[Math.floor(random() * own.length)]
  return splice(sentence, chosen, others[Math.floor(random() * others.length)])
}

const splice = (text, match, instead) =>
  text.slice(0, match.index) + instead + text.slice(match.index + match[0].length)

const LATIN_NAME = /(?<=\p{L}[\p{L},;]*\s)(\p{Lu}\p{Ll}{3,}(?:\s\p{Lu}\p{Ll}{2,})*)/gu
const KANA_NAME = /[\p{Script=Katakana}ー・]{4,}/gu
const HAN_NAME = /\p{Script=Han}{1,5}·\p{Script=Han}{1,5}|[A-Z][\w]{2,}|(?<=《)[^》]{2,12}(?=》)/gu

export function namesOf(text) {
  if (/\p{Script=Katakana}{4}/u.test(text)) return [...text.matchAll(KANA_NAME)]
  if (isWide(text)) return [...text.matchAll(HAN_NAME)]
  return [...text.matchAll(LATIN_NAME)]
}

function changeName({ sentence, passage, names, random }) {
  const own = namesOf(sentence)
  const others = names.filter((name) => !passage.includes(name))
  if (own.length === 0 || others.length === 0) return null
  const other = others[Math.floor(random() * others.length)]
  return splice(sentence, own[Math.floor(random() * own.length)], other)
}

/** Another name of the same passage that the sentence has not. */
function changeNameWithin({ sentence, passage, random }) {
  const own = namesOf(sentence)
  const others = namesOf(passage)
    .map(([name]) => name)
    .filter((name) => !sentence.includes(name) && !own.some(([one]) => name.includes(one)))
  if (own.length === 0 || others.length === 0) return null
  return splice(sentence, pick(own, random), pick(others, random))
}

/** The answer to one of the passage's questions in the place of another's: a phrase for a phrase, a figure for a figure. */
function changeAnswer({ sentence, answers, random }) {
  const own = answers.filter((answer) => sentence.split(answer).length === 2)
  const found = own.flatMap((answer) => {
    const others = answers.filter((other) => isOtherAnswer(answer, other, sentence))
    return others.length === 0 ? [] : [{ answer, others }]
  })
  if (found.length === 0) return null
  const { answer, others } = pick(found, random)
  return sentence.replace(answer, () => pick(others, random))
}

function isOtherAnswer(answer, other, sentence) {
  const sizes = [answer.length, other.length]
  return (
    !sentence.includes(other) &&
    !answer.includes(other) &&
    !other.includes(answer) &&
    /\d/u.test(answer) === /\d/u.test(other) &&
    /^\p{Lu}/u.test(answer) === /^\p{Lu}/u.test(other) &&
    Math.max(...sizes) <= 2.5 * Math.min(...sizes)
  )
}

/** A plain word of the passage in the place of another that is about as long and ends alike. */
function changeWord({ sentence, passage, random }) {
  const own = wordsIn(sentence)
  const others = [...new Set(wordsIn(passage).map(([word]) => word))]
  const alike = (word) =>
    others.filter(
      (other) =>
        !sentence.includes(other) &&
        (isWide(word)
          ? ![...other].some((sign) => word.includes(sign))
          : other.slice(0, 3) !== word.slice(0, 3) && other.slice(-2) === word.slice(-2)),
    )
  const found = own.filter(([word]) => alike(word).length > 0)
  if (found.length === 0) return null
  const chosen = pick(found, random)
  return splice(sentence, chosen, pick(alike(chosen[0]), random))
}

const PLAIN_WORD = /(?<=\s)\p{Ll}{6,}(?=[\s,.])/gu

/** Words of content without a capital; of unspaced scripts, those that a dictionary finds. */
function wordsIn(text) {
  if (!isWide(text)) return [...text.matchAll(PLAIN_WORD)]
  return [...new Intl.Segmenter('zh', { granularity: 'word' }).segment(text)].flatMap(
    ({ segment, index }) =>
      /^\p{Script=Han}{2,}$/u.test(segment) ? [Object.assign([segment], { index })] : [],
  )
}

const pick = (list, random) => list[Math.floor(random() * list.length)]

function changeMonth({ sentence, words, random }) {
  const month = words.months.find((one) => wordPattern(one, sentence).test(sentence))
  const others = words.months.filter((one) => one !== month && !sentence.includes(one))
  if (month === undefined) return null
  return sentence.replace(
    wordPattern(month, sentence),
    others[Math.floor(random() * others.length)],
  )
}

/** Two names in each other's place, with words between them that are more than a list's. */
function turnRound({ sentence }) {
  const names = namesOf(sentence)
  const [one, other] = [names[0], names.at(-1)]
  if (one === undefined || one.index === other.index || one[0] === other[0]) return null
  const between = sentence.slice(one.index + one[0].length, other.index)
  const words = isWide(between) ? between.length / 2 : between.trim().split(/\s+/u).length
  if (words < 3 || words > 12 || names.length > 2) return null
  return (
    sentence.slice(0, one.index) +
    other[0] +
    between +
    one[0] +
    sentence.slice(other.index + other[0].length)
  )
}

function replaceFirst(sentence, pairs) {
  for (const [from, to] of pairs) {
    const text = bare(sentence).replace(from, to)
    if (text !== bare(sentence)) return text + sentence.slice(bare(sentence).length)
  }
  return null
}

function replaceWord({ sentence }, pairs) {
  for (const [from, to] of pairs) {
    const text = sentence.replace(wordPattern(from, sentence), to)
    if (text !== sentence) return text
  }
  return null
}

/** Only a unit that stands with a number. */
function changeUnit({ sentence, words }) {
  for (const [from, to] of words.units) {
    const pattern =
      from === '$'
        ? /\$(?=\d)/u
        : new RegExp(
            `(?<=\\d\\s?)${escapePattern(from)}(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
            'u',
          )
    const text = sentence.replace(pattern, to)
    if (text !== sentence) return text
  }
  return null
}

/** Two figures of a sentence in each other's place. */
function exchangeNumbers({ sentence }) {
  const numbers = [...sentence.matchAll(NUMBER)]
  const [one, other] = [numbers[0], numbers.at(-1)]
  if (one === undefined || one.index === other.index || one[0] === other[0]) return null
  return splice(splice(sentence, other, one[0]), one, other[0])
}

/** A date one day later. */
function changeDay({ sentence, words, passage }) {
  const month = words.months.length > 0 ? `(?:${words.months.join('|')})` : '月'
  const day = words.months.length > 0 ? '' : '(?=日)'
  const pattern = new RegExp(
    `(?<=${month}[\\s]?)(?<!\\d)\\d{1,2}(?!\\d)${day}${day ? '' : `|(?<!\\d)\\d{1,2}(?=(?:\\.|º|st|nd|rd|th)?(?: de| of)? ${month})`}`,
    'u',
  )
  const found = pattern.exec(sentence)
  if (found === null) return null
  const next = String(Number(found[0]) + 1)
  return passage.includes(next) ? null : splice(sentence, found, next)
}

function replacePair(material, name) {
  const pairs = material.words.turns[name].split(/ (?=\S+\/)/u).map((pair) => pair.split('/'))
  // Which of them comes first is as good as any other: the next sentence takes another.
  const from = Math.floor(material.random() * pairs.length)
  return replaceWord(material, [...pairs.slice(from), ...pairs.slice(0, from)])
}

/** The first pair that a sentence has a word of, from a place of the list that changes. */
function replaceAny(material, pairs) {
  const from = Math.floor(material.random() * pairs.length)
  return replaceWord(material, [...pairs.slice(from), ...pairs.slice(0, from)])
}

function changeCurrency(material) {
  return NUMBER.test(material.sentence) ? replacePair(material, 'currencies') : null
}

/** A row of a made table, two of its cells; `cells` tells whose values are said. */
function readRow({ words, random }, shift, [one, other]) {
  const { header, rows, says, cell, values: named = [] } = words.turns.table
  const value = (i, column) =>
    column === 2 && named.length > 0
      ? named[(i + Math.floor(turn * named.length)) % named.length]
      : String(10 + Math.floor(random() * 980))
  const turn = random()
  const values = rows.map((_, i) => header.slice(1).map((_, column) => value(i, column)))
  if (new Set(values.flat()).size < 9) return null
  const at = Math.floor(random() * rows.length)
  const column = Math.floor(random() * 2)
  const said = values[(at + shift) % rows.length]
  const passage = rows
    .map((row, i) =>
      [`${header[0]}: ${row}`, ...values[i].map((text, k) => `${header[k + 1]}: ${text}`)].join(
        ' | ',
      ),
    )
    .join('\n')
  const claim = says(rows[at], [
    cell(header[column + 1], said[column + one]),
    cell(header[column + 2], said[column + other]),
  ])
  return { claim, passage }
}

/** Two cells of a row of a written table, whole, or one of them of another row. */
function readTable({ tables, random }, shift) {
  if (tables.length === 0) return null
  const { header, rows, text } = pick(tables, random)
  const at = Math.floor(random() * rows.length)
  const column = 1 + Math.floor(random() * (header.length - 1))
  const own = rows[at]
  const other = rows[(at + shift) % rows.length]
  if (!own[0] || !other[column] || (shift > 0 && alikeCells(own[column], other[column])))
    return null
  return {
    claim: `For ${own[0]}, the ${header[column].toLowerCase()} is ${other[column]}.`,
    passage: text,
  }
}

const alikeCells = (one, other) => one.includes(other) || other.includes(one)

/** An item of two made lists with its lead-in, or with the other's. */
function readList({ words, random }, shift) {
  const { leads, items, says } = words.turns.lists
  const at = Math.floor(random() * items.length)
  const list = at < items.length / 2 ? 0 : 1
  const half = items.length / 2
  const passage = leads
    .map((lead, i) =>
      [lead, ...items.slice(i * half, (i + 1) * half).map((item) => `- ${item}`)].join('\n'),
    )
    .join('\n\n')
  return { claim: says(leads[(list + shift) % 2], items[at]), passage }
}

/**
 * The replies made of a set's passages, a few of each kind and style, the same on every machine. Each carries the six
 * passages that the model was shown.
 */
export function* makeReplies(
  lang,
  corpus,
  { most = 60, seed = 7, half = 'all', tables = [] } = {},
) {
  const words = {
    ...LANGUAGES[lang],
    turns: half === 'report' ? { ...TURNS[lang], ...TABLES[lang] } : TURNS[lang],
    opposed: inPairs(PAIRS[lang], half),
    alike: inPairs(ALIKE[lang], half),
  }
  const random = createRandom(seed)
  const texts = corpus.filter(({ text }) => text.length < 2500)
  const names = texts.flatMap(({ text }) => namesOf(text).map(([name]) => name))
  const counts = {}
  const styles = Object.keys(STYLES)
  let at = 0
  for (const [place, passage] of texts.entries()) {
    const others = Array.from({ length: 5 }, (_, i) => texts[(place + 11 * (i + 1)) % texts.length])
    const n = 1 + Math.floor(random() * 6)
    const shown = [...others.slice(0, n - 1), passage, ...others.slice(n - 1)]
    const distant = texts[(place + 97) % texts.length]
    for (const sentence of sentencesOf(passage.text)) {
      const foreign = sentencesOf(distant.text)[0]
      for (const [kind, { right, make }] of Object.entries(KINDS)) {
        if ((counts[kind] ?? 0) >= most) continue
        const invented = words.invented[Math.floor(random() * words.invented.length)]
        const material = {
          sentence,
          words,
          random,
          passage: passage.text,
          names,
          invented,
          foreign,
          tables,
          answers: passage.answers ?? [],
        }
        const made = make(material)
        const claim = made?.claim ?? made
        const own = made?.passage ?? passage.text
        if (
          !claim ||
          (claim === sentence && kind !== 'verbatim') ||
          (!right && shown.some(({ text }) => text.includes(bare(claim))))
        )
          continue
        // What was made of a passage must not be what another sentence of it says.
        counts[kind] = (counts[kind] ?? 0) + 1
        const style = styles[at++ % styles.length]
        const mark = STYLES[style]({
          n,
          quote: quoteOf(made.passage ?? sentence),
          word: wordOf(made.passage ?? sentence),
        })
        yield {
          lang,
          kind,
          right,
          style,
          reply: withMark(claim, mark),
          shown: shown.map((one) => (one === passage ? own : one.text)),
          id: passage.id,
          claim,
          sentence,
        }
      }
    }
  }
}

function withMark(claim, mark) {
  if (mark === '') return claim
  const stop = /[.。?？!]*$/u.exec(claim)?.[0] ?? ''
  const gap = isWide(claim) || /^[¹²³⁴⁵⁶<]/u.test(mark) ? '' : ' '
  return `${claim.slice(0, claim.length - stop.length)}${gap}${mark}${stop}`
}

function quoteOf(sentence) {
  const text = bare(sentence)
  if (isWide(text)) return text.slice(0, 16)
  return text.split(/\s+/u).slice(0, 9).join(' ')
}

function wordOf(sentence) {
  if (isWide(sentence)) return sentence.slice(0, 2)
  return sentence.split(/\s+/u).find((word) => word.length > 3) ?? sentence.split(' ')[0]
}
