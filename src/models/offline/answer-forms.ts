import type { EvidencePack, Words } from '../../language/pack'
import { EVIDENCE_PACKS } from '../../language/packs'
import { foldText } from '../../text/fold'

/** How sentences look that answer a question of a kind. */
export interface AnswerForms {
  /** The subject of a sentence that says what something is, with the verb. */
  defines: RegExp
  reasons: RegExp
  instructs: RegExp
  /** What says how much; "/v1" and "AES-256" are names. */
  figures: RegExp
  /** "When Parley is ready, …" says nothing of what Parley is. */
  subordinate: RegExp
  /** "No folder is made", "any folder": tells of some, and not what one is. */
  counts: RegExp
  /** Begins with a word for what the sentence before names. */
  leans: RegExp
  /** What allows, forbids or obliges. */
  decides: RegExp
  denies: RegExp
  /** Begins with a yes or a no. */
  says: RegExp
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const WITHIN = '[\\p{L}\\p{M}\\p{N}]'
const CHINESE = ['zh', 'zh-TW']

let price: RegExp | undefined

/** Whether a question asks what something costs, in any language: people borrow the word. */
export function asksForPrice(text: string): boolean {
  price ??= new RegExp(
    EVIDENCE_PACKS.flatMap(({ asking }) =>
      asking.prices.map((word) => patternOf(foldText(word))),
    ).join('|'),
    'u',
  )
  return price.test(foldText(text))
}

const known = new Map<string, AnswerForms>()

/** The forms of a language, by the code of its pack; passages of others have them by signs alone. */
export function formsOf(code: string): AnswerForms {
  const forms = known.get(code) ?? makeForms(code)
  known.set(code, forms)
  return forms
}

function makeForms(code: string): AnswerForms {
  const packs = EVIDENCE_PACKS.filter((pack) =>
    CHINESE.includes(code) ? CHINESE.includes(pack.code) : pack.code === code,
  )
  const spaced = packs.some((pack) => !pack.unspaced)
  const any = (read: (pack: EvidencePack) => Words): string =>
    `(?:${[...new Set(packs.flatMap(read))].map(patternOf).join('|')})`
  const make = (source: string) => new RegExp(source, 'iu')
  const instructs = any(({ answering }) => answering.instructs)
  return {
    defines: make(`^.{0,60}?(?:${any(({ answering }) => answering.defines)}|\\s[—–-]\\s)`),
    reasons: make(any(({ answering }) => answering.reasons)),
    // Code and requests are instructions in any language; where words are not spaced, a sentence holds what instructs.
    instructs: make(`${spaced ? '^' : ''}${instructs}|\`|\\b(?:POST|GET|PUT|PATCH|DELETE)\\s/`),
    figures: make(
      `(?<![\\p{L}\\p{N}/_-])\\p{N}|${any(({ answering, numbers, functionWords }) => [
        ...answering.amounts,
        ...Object.keys(numbers).filter((word) => !functionWords.includes(word)),
      ])}`,
    ),
    decides: make(
      any(({ modality, negation }) => [
        ...modality.permission,
        ...modality.obligation,
        ...negation.explicit,
      ]),
    ),
    says: make(`^${any(({ yes, no }) => [...yes, ...no])}`),
    counts: make(
      `^${any(({ quantities, negation }) => [
        ...quantities.all,
        ...quantities.most,
        ...quantities.some,
        ...quantities.none,
        ...negation.explicit,
      ])}`,
    ),
    leans: make(`^${any((pack) => pack.pronouns)}`),
    denies: make(any(({ negation }) => negation.explicit)),
    subordinate: make(
      `^${any(({ conditions, order }) => [...conditions, ...order.before, ...order.after])}`,
    ),
  }
}

/** A word as it stands in a text; `*` stands for any ending or beginning. */
function patternOf(word: string): string {
  const plain = word.replaceAll('*', '').replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  if (UNSPACED.test(word)) return plain
  const start = word.startsWith('*') ? '' : `(?<!${WITHIN})`
  return `${start}${plain}${word.endsWith('*') ? '' : `(?!${WITHIN})`}`
}
