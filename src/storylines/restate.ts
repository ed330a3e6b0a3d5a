import type { Language } from '../config/names'

const TOKENS_BESIDE = 100
const MAX_TOKENS = 4_000
const NAMES = new Intl.DisplayNames('en', { type: 'language' })
/** Placeholders, addresses and where links lead: what no language changes. */
const KEPT = /\{\{[^{}]*\}\}|\]\([^)]*\)|\w+:\/\/[\w./?#=&%~+:@-]*[\w/#=&%~+-]/gu

/** What a model is told to say texts of a storyline in a language. Its tenant wrote them, as all else that it is told. Pure. */
export const restateCall = (texts: readonly string[], lang: Language) => ({
  order: `Put each text of the JSON list into ${NAMES.of(lang)}, as a program says it to its user. Add and answer nothing; change no name, address, Markdown or {{ }}. Answer with the JSON list alone.`,
  prompt: JSON.stringify(texts),
  maxTokens: Math.min(texts.join('').length + TOKENS_BESIDE, MAX_TOKENS),
})

/** What a model made of texts, as far as it is what was asked for. Pure. @throws where it is no list. */
export function readRestated(answer: string, texts: readonly string[]): [string, string][] {
  const list = JSON.parse(answer.slice(answer.indexOf('['), answer.lastIndexOf(']') + 1))
  if (list.length !== texts.length) return []
  return texts.flatMap((text, at): [string, string][] => {
    const said: unknown = list[at]
    const isSaid = typeof said === 'string' && said.trim() !== '' && keptOf(said) === keptOf(text)
    return isSaid ? [[text, said]] : []
  })
}

const keptOf = (text: string): string => (text.match(KEPT) ?? []).toSorted().join('\n')
