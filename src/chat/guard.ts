import type { Language } from '../config'
import { DATA_RULES, type InjectionRule, MESSAGE_RULES } from './injection-rules'
import { stripInvisible } from './neutralise'

export interface InjectionHit {
  /** The rule's name, for the log and the flag; never the text. */
  rule: string
}

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
  for (const variant of new Set([folded, undisguise(folded)])) {
    const broken = rules.find(({ pattern }) => pattern.test(variant))
    if (broken !== undefined) return { rule: broken.name }
  }
  return null
}

function fold(text: string): string {
  return stripInvisible(text)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‘’ʼ`´]/gu, "'")
    .replaceAll(/[^\S\n]+/gu, ' ')
}

/** Undoes the usual disguises: letters set apart, digits and foreign letters inside Latin words. */
function undisguise(folded: string): string {
  return folded
    .replaceAll(/(?<![\p{L}\p{N}])(?:\p{L}[ .\-_*]){3,}\p{L}(?![\p{L}\p{N}])/gu, (spaced) =>
      spaced.replaceAll(/[ .\-_*]/gu, ''),
    )
    .replaceAll(/[a-z@$0134570-9]*[a-z][a-z@$0-9]*/gu, (word) =>
      /[0-9@$]/u.test(word) ? word.replaceAll(/[013457@$]/gu, (c) => LEET[c] ?? c) : word,
    )
    .replaceAll(/[\p{Script=Latin}аеорсхуіѕјοα]+/gu, (word) =>
      /[a-z]/u.test(word) ? word.replaceAll(/[^\p{ASCII}]/gu, (c) => LOOKALIKES[c] ?? c) : word,
    )
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
