import type { Language } from '../config/names'
import { detectLanguage } from './detect-language'

/** A line of a form: what stands before the colon is its author's. */
const LABEL = /^[^\r\n\u2028\u2029:：]+[:：]/gmu
const CAPITAL_OR_FIGURE = /^[\p{P}\p{S}]*\p{Lu}|[\p{N}@]|\S[./]\S/u
/** What stands in names and addresses in small letters. */
const IN_NAMES =
  /^(?:al?|and|avenue|boulevard|calle|d[aeiou]|de[lnrs]|d[ao]s|el|l[aeo]s?|of|place|rue|the|und|v[ao]n|via|y|zu[mr]?)$/u

/**
 * The language of a message that answers what was asked for, or null. Names, addresses and numbers are said as they are
 * in any language: María de la Cruz, who writes in English, is answered in English.
 */
export function languageOfAnswer(message: string): Language | null {
  const said = message.replace(LABEL, '')
  const words = said.match(/[^\s,;]+/gu) ?? []
  const isData = words.every((word) => CAPITAL_OR_FIGURE.test(word) || IN_NAMES.test(word))
  return isData && !/[^\p{Script=Latin}\P{L}]/u.test(said) ? null : detectLanguage(said)
}
