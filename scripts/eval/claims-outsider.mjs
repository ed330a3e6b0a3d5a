/**
 * A third set of replies, made by rule of real passages as somebody outside would who has read the table of goals alone: it was
 * written and measured before any rule of the check was read. Kinds, words and styles of mark are its own; a reply is of one
 * sentence or of two (a true one first), beside two other passages, behind a question of the passage's own where it has one.
 * Passages are split by the hash of their text; rules were mended by the `tune` half alone.
 */
import { createHash } from 'node:crypto'
import { OUTSIDER } from './claims-outsider-words.mjs'
import { lettersOf } from './claims-written.mjs'

/** How a mark is written; `at` is whether it stands before the full stop or behind it. */
const STYLES = [
  ['[1]', (s) => before(s, ' [1]')],
  ['[1] behind', (s) => `${s} [1]`],
  ['[1][2]', (s) => before(s, ' [1][2]')],
  ['[1, 2]', (s) => before(s, ' [1, 2]')],
  ['[^1]', (s) => before(s, '[^1]')],
  ['【1†source】', (s) => before(s, '【1†source】')],
  ['(1)', (s) => before(s, ' (1)')],
  ['(Source: 1)', (s, lang) => before(s, ` ${OUTSIDER[lang].source}`)],
  ['<sup>1</sup>', (s) => before(s, '<sup>1</sup>')],
  ['¹', (s) => `${s}¹`],
  ['[1|quote]', (s, _, sentence) => before(s, ` [1|${sentence}]`)],
  ['[1|a word]', (s, _, sentence) => before(s, ` [1|${aWord(sentence)}]`)],
  ['none', (s) => s],
  ['- item', (s) => `- ${before(s, ' [1]')}`],
]

/** Each kind makes another sentence (or none) of a true one; `right` kinds stay true. */
const MAKE = {
  verbatim: ({ s }) => s,
  introduced: ({ s, words, pick }) => pick(words.introduced) + s,
  shortened: ({ s, words }) => shorten(s, words),
  light: ({ s, words }) => light(s, words),
  number: ({ s, passage, pick }) => changeNumber(s, passage, pick),
  swapped: ({ s, passage, pick }) => swapNumber(s, passage, pick),
  invented: ({ words, fact }) => sentence(fact, words),
  'invented with a name': ({ s, words, fact }) => inventedOf(s, words, fact),
  'invented, courtesy': ({ words, fact, pick }) => sentence(pick(words.courtesy) + fact, words),
  'invented, gap': ({ words, fact, pick }) => sentence(pick(words.gap) + fact, words),
  'invented, rhetorical': ({ words, fact, pick }) =>
    sentence(pick(words.rhetorical).replace('{}', fact), words, ''),
  name: ({ s, words, pick }) => changeName(s, words, pick),
  'negation added': ({ s, words, pick }) => rewrite(s, words.negate, pick),
  'negation dropped': ({ s, words, pick }) => rewrite(s, words.affirm, pick),
  quantity: ({ s, words, pick }) => exchange(s, words.quantity, words, pick),
  unit: ({ s, words, pick }) => changeUnit(s, words, pick),
  bound: ({ s, words, pick }) => changeBound(s, words, pick),
  time: ({ s, words, pick }) => exchange(s, words.time, words, pick),
  'condition dropped': ({ s, words }) => dropCondition(s, words),
}
const OUTSIDER_RIGHT = ['verbatim', 'introduced', 'shortened', 'light']
export const OUTSIDER_KINDS = Object.keys(MAKE)

/** @returns up to `most` replies of each kind in a language, `corpus` the passages with `text` and `questions`. */
export function outsiderReplies(lang, corpus, { most, half }) {
  const words = OUTSIDER[lang]
  const own = corpus.filter(({ text }) => half === 'all' || halfOf(text) === half)
  const counts = Object.fromEntries(OUTSIDER_KINDS.map((kind) => [kind, 0]))
  const made = []
  for (const [at, passage] of own.entries()) {
    const sentences = sentencesOf(passage.text, lang)
    for (const [which, s] of sentences.entries()) {
      const random = createRandom(`${passage.text}:${which}`)
      const pick = (list) => list[Math.floor(random() * list.length)]
      const fact = pick(words.invented)
      for (const kind of OUTSIDER_KINDS) {
        if (counts[kind] >= most || random() > 0.3 + counts[kind] / most / 10) continue
        const said = MAKE[kind]({ s, words, pick, fact, passage: passage.text })
        if (said === null || (said === s && kind !== 'verbatim')) continue
        counts[kind] += 1
        const [style, mark] = STYLES[Math.floor(random() * STYLES.length)]
        const first = random() < 0.3 ? sentences.find((one) => one !== s) : undefined
        const gap = words.spaced ? ' ' : ''
        const body = mark(said, lang, s)
        const reply =
          first === undefined || style === '- item' ? body : mark(first, lang, first) + gap + body
        made.push({
          lang,
          kind,
          right: OUTSIDER_RIGHT.includes(kind),
          style,
          sentence: s,
          said,
          shown: [passage.text, ...othersOf(own, at).map(({ text }) => text)],
          question: pick(passage.questions?.length > 0 ? passage.questions : ['']),
          reply,
          judged: lettersOf(judgedOf(kind, said, s, fact)),
        })
      }
    }
  }
  return made
}

/** What is judged of a reply: courtesies and lead-ins may go, what is told must stay, or go. */
function judgedOf(kind, said, s, fact) {
  if (kind === 'introduced') return s
  return kind.startsWith('invented') ? fact : said
}

function othersOf(own, at) {
  return [own[(at + 1) % own.length], own[(at + 7) % own.length]]
}

const halfOf = (text) =>
  createHash('sha256').update(`outsider-v1:${text}`).digest()[0] < 128 ? 'tune' : 'report'

function sentencesOf(text, lang) {
  const [least, most] = OUTSIDER[lang].spaced ? [45, 260] : [14, 110]
  const parts = [...new Intl.Segmenter(lang, { granularity: 'sentence' }).segment(text)]
  return parts
    .map(({ segment }) => segment.trim())
    .filter(
      (s) =>
        s.length >= least &&
        s.length <= most &&
        /^[\p{Lu}\p{Lo}\p{N}"«„]/u.test(s) &&
        /\p{L}{3}[.]$|[。]$/u.test(s) &&
        !/[[\]|\n]/u.test(s),
    )
}

function before(s, mark) {
  const end = /[.!?。！？؟]+$/u.exec(s)?.[0] ?? ''
  return `${s.slice(0, s.length - end.length)}${mark}${end}`
}

function aWord(s) {
  return [...s.matchAll(/\p{L}{4,}/gu)].map(([word]) => word)[0] ?? s.slice(0, 2)
}

function sentence(s, words, end = words.spaced ? '.' : '。') {
  return s[0].toUpperCase() + s.slice(1) + end
}

function shorten(s, words) {
  const bare = s.replaceAll(/\s*[(（][^()（）]*[)）]/gu, '')
  if (bare !== s && /\p{L}/u.test(bare)) return bare
  if (!words.spaced) {
    // What frames it at the beginning goes: "however", "in addition".
    const without = s.replace(
      /^(?:此外|另外|因此|然而|不過|不过|而|但是|但|また|さらに|しかし|なお|その後)[，、]/u,
      '',
    )
    return without === s ? null : without
  }
  const without = s.replace(
    /^(?:However|In addition|Furthermore|Moreover|Therefore|Thus|Also|Additionally|For example|In fact|Indeed|Además|Sin embargo|Por lo tanto|Por ejemplo|De hecho|También|Также|Однако|Кроме того|Поэтому|Например|Таким образом|Ayrıca|Ancak|Örneğin|Bununla birlikte|Bu nedenle), /u,
    '',
  )
  if (without !== s) return without[0].toUpperCase() + without.slice(1)
  // What is told beside it at the end goes.
  const aside =
    /^(.{40,}), (?:which|where|including|especially|such as|el cual|la cual|que|incluyendo|especialmente|который|которая|которые|включая|в том числе|der|die|das|darunter|insbesondere) [^,]+\.$/u.exec(
      s,
    )
  return aside ? `${aside[1]}.` : null
}

function light(s, words) {
  let text = s
  let changed = 0
  for (const [from, to] of words.light) {
    if (changed === 2) break
    const next = replaceWord(text, from, to, words)
    if (next !== text) changed += 1
    text = next
  }
  return changed === 0 ? null : text
}

function replaceWord(s, from, to, { spaced }) {
  const edge = spaced ? '(?<![\\p{L}\\p{N}])' : ''
  const end = spaced ? '(?![\\p{L}\\p{N}])' : ''
  return s.replace(new RegExp(`${edge}${from.replaceAll('.', '\\.')}${end}`, 'iu'), (was) =>
    was[0] !== was[0].toLowerCase() ? to[0].toUpperCase() + to.slice(1) : to,
  )
}

const NUMBER = /(?<![\p{L}\p{N}.,])\d[\d.,]*\d|(?<![\p{L}\p{N}.,])\d(?![\p{N}.,])/gu
const numbersOf = (s) => [...s.matchAll(NUMBER)].map(([number]) => number)

function changeNumber(s, passage, pick) {
  const found = numbersOf(s)
  if (found.length === 0) return null
  const was = pick(found)
  const digits = [...was]
  for (let add = 1; add < 9; add++) {
    const at = digits.findLastIndex((sign) => /\d/u.test(sign))
    const to = was.slice(0, at) + ((Number(was[at]) + add) % 10) + was.slice(at + 1)
    if (/[1-9]/u.test(to) && !/^0\d/u.test(to) && !passage.includes(to)) return s.replace(was, to)
  }
  return null
}

function swapNumber(s, passage, pick) {
  const found = numbersOf(s)
  if (found.length === 0) return null
  const was = pick(found)
  const isYear = (number) => /^[12]\d{3}$/u.test(number)
  const others = numbersOf(passage).filter(
    (other) => !found.includes(other) && isYear(other) === isYear(was),
  )
  return others.length === 0 ? null : s.replace(was, pick(others))
}

/** Something invented of what the sentence is about. */
function inventedOf(s, words, fact) {
  const name = nameOf(s, words)
  if (name === null) return null
  return words.spaced ? sentence(`${name}: ${fact}`, words) : sentence(`${name}：${fact}`, words)
}

function nameOf(s, words) {
  if (words.nameFind)
    return (
      words.nameFind.exec(s)?.[0] ??
      words.namePairs?.find(([name]) => s.includes(name))?.[0] ??
      null
    )
  const [, name] = /\p{Ll}[,;:]? ((?:\p{Lu}\p{Ll}{3,})(?: \p{Lu}\p{Ll}{2,}){0,2})/u.exec(s) ?? []
  return name ?? null
}

function changeName(s, words, pick) {
  const pair = words.namePairs?.find(([name]) => s.includes(name))
  if (pair) return s.replace(pair[0], pair[1])
  // German writes every noun with a capital: a name there is of two words, or in Latin of another kind.
  const name =
    words === OUTSIDER.de
      ? (/\p{Ll}[,;:]? (\p{Lu}\p{Ll}{2,} \p{Lu}\p{Ll}{3,})/u.exec(s) ?? [])[1]
      : nameOf(s, words)
  return name ? s.replace(name, pick(words.names)) : null
}

function rewrite(s, rules, pick) {
  const fits = rules.filter(([from]) => from.test(s))
  if (fits.length === 0) return null
  const [from, to] = pick(fits)
  return s.replace(from, to)
}

function exchange(s, pairs, words, pick) {
  const fits = pairs.filter(([from, to]) => replaceWord(s, from, to, words) !== s)
  if (fits.length === 0) return null
  return replaceWord(s, ...pick(fits), words)
}

/** The unit behind a figure. */
function changeUnit(s, words, pick) {
  const fits = words.unit.flatMap(([from, to]) => {
    const rule = new RegExp(`(\\d[ \\u00a0-]?)${from}${words.spaced ? '(?![\\p{L}])' : ''}`, 'u')
    return rule.test(s) ? [s.replace(rule, `$1${to}`)] : []
  })
  return fits.length === 0 ? null : pick(fits)
}

/** The bound beside a figure. */
function changeBound(s, words, pick) {
  const fits = words.bound.flatMap(([from, to]) => {
    const plain = from.replaceAll('.', '\\.')
    const rules = words.spaced
      ? [
          new RegExp(`(?<![\\p{L}])${plain}(?= \\d)`, 'iu'),
          new RegExp(`(?<=\\d[\\p{L} ]{0,12})${plain}(?![\\p{L}])`, 'u'),
        ]
      : [new RegExp(`${plain}(?=\\d)`, 'u'), new RegExp(`(?<=\\d\\p{L}{0,3})${plain}`, 'u')]
    const rule = rules.find((one) => one.test(s))
    return rule ? [s.replace(rule, to)] : []
  })
  return fits.length === 0 ? null : pick(fits)
}

function dropCondition(s, words) {
  const without = s.replace(words.condition, '')
  return without === s || without.length < (words.spaced ? 25 : 8)
    ? null
    : without[0].toUpperCase() + without.slice(1)
}

function createRandom(seed) {
  let state = createHash('sha256').update(seed).digest().readUInt32BE(0)
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
