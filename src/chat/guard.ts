import type { Language } from '../config/names'
import { stripInvisible } from '../text/neutralise'
import { DATA_RULES, type InjectionRule, MESSAGE_RULES } from './injection-rules'

export interface InjectionHit {
  /** The rule's name, for the log and the flag; never the text. */
  rule: string
}

const ASCII = /^[\t\n\x20-\x7e]*$/u
const MAX_SCANNED_CHARS = 100_000
const LEET: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}
const LOOKALIKES: Record<string, string> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  х: 'x',
  у: 'y',
  і: 'i',
  ѕ: 's',
  ј: 'j',
  ο: 'o',
  α: 'a',
}

/** The first rule that a retrieved chunk or a tool result breaks, or null. Linear; reads 100,000 characters. */
export function scanForInjection(text: string): InjectionHit | null {
  return scan(text, DATA_RULES)
}

/** The first rule that a user's message breaks: a blatant try to lift or read out the instructions. Null for the rest. */
export function scanUserMessage(text: string): InjectionHit | null {
  return scan(text, MESSAGE_RULES)
}

function scan(text: string, rules: readonly InjectionRule[]): InjectionHit | null {
  const folded = fold(text.slice(0, MAX_SCANNED_CHARS))
  const plain = DISGUISE.test(folded) ? undisguise(folded) : folded
  for (const variant of plain === folded ? [folded] : [folded, plain]) {
    const found = findNeedles(variant)
    const broken = rules.find(
      ({ needles, pattern }) =>
        needles.some((needle) => found.has(needle)) && pattern.test(variant),
    )
    if (broken !== undefined) return { rule: broken.name }
  }
  return null
}

const NEEDLES = [...new Set(DATA_RULES.flatMap(({ needles }) => needles))]
/** Longest first: where several begin at one place, the longest is met and `PREFIXES` gives the others. */
const ANY_NEEDLE = new RegExp(
  NEEDLES.toSorted((x, y) => y.length - x.length)
    .map((needle) => needle.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&'))
    .join('|'),
  'gu',
)
const PREFIXES = new Map(
  NEEDLES.map((needle) => [needle, NEEDLES.filter((other) => needle.startsWith(other))]),
)

/** The needles that a text holds: one pass instead of one a needle. */
function findNeedles(text: string): Set<string> {
  const found = new Set<string>()
  ANY_NEEDLE.lastIndex = 0
  for (let match = ANY_NEEDLE.exec(text); match !== null; match = ANY_NEEDLE.exec(text)) {
    for (const needle of PREFIXES.get(match[0]) ?? []) found.add(needle)
    ANY_NEEDLE.lastIndex = match.index + 1
  }
  return found
}

function fold(text: string): string {
  const plain = ASCII.test(text) ? text : stripInvisible(text).normalize('NFKC')
  return plain
    .toLowerCase()
    .replaceAll(/[‘’ʼ`´]/gu, "'")
    .replaceAll(/[^\S\n ]+| {2,}/gu, ' ')
}

/** Letters set apart, digits inside a Latin word, Cyrillic or Greek letters beside Latin ones. */
const DISGUISE =
  /(?<![\p{L}\p{N}])(?:\p{L}[ .\-_*]){3}|[a-z][0134570@$][a-z]|[a-z][аеорсхуіѕјοα]|[аеорсхуіѕјοα][a-z]/u
const SET_APART = /(?<![\p{L}\p{N}])(?:\p{L}[ .\-_*]){3,}\p{L}(?![\p{L}\p{N}])/gu
/** These two are looked for from the beginning of a word alone: from each letter, a long one would take the square of the time. */
const WITH_DIGITS = /(?<![a-z])[a-z]+[013457@$][a-z@$0-9]*/gu
const MIXED =
  /(?<![a-zаеорсхуіѕјοα])(?:[a-z]+[аеорсхуіѕјοα]|[аеорсхуіѕјοα]+[a-z])[a-zаеорсхуіѕјοα]*/gu

/** Undoes the usual disguises, so that "1gn0re" and "i g n o r e" read as "ignore". */
function undisguise(folded: string): string {
  return folded
    .replaceAll(SET_APART, (spaced) => spaced.replaceAll(/[ .\-_*]/gu, ''))
    .replaceAll(/(?<![a-z0-9])[013457@$](?=[a-z])/gu, (c) => LEET[c] ?? c)
    .replaceAll(WITH_DIGITS, (word) => word.replaceAll(/[013457@$]/gu, (c) => LEET[c] ?? c))
    .replaceAll(MIXED, (word) => word.replaceAll(/[аеорсхуіѕјοα]/gu, (c) => LOOKALIKES[c] ?? c))
}

const REFUSALS: Record<Language, string> = {
  en: 'I can’t help with that. Ask me something about this service and I will gladly answer.',
  zh: '这个请求我无法协助。欢迎询问与本服务有关的问题。',
  'zh-TW': '這個請求我無法協助。歡迎詢問與本服務有關的問題。',
  es: 'No puedo ayudarte con eso. Pregúntame algo sobre este servicio y te responderé con gusto.',
  ru: 'С этим я помочь не могу. Спросите меня о самом сервисе, и я охотно отвечу.',
  fr: 'Je ne peux pas vous aider pour cela. Posez-moi une question sur ce service et j’y répondrai volontiers.',
  ar: 'لا أستطيع المساعدة في ذلك. اسألني عن هذه الخدمة وسأجيبك بكل سرور.',
}

/** What a blocked turn answers (`finish_reason: "guard"`). */
export function refusal(lang: Language): string {
  return REFUSALS[lang]
}
