import { detectMode, wordTokens } from '../../text/analyze'
import { isFunctionWord } from '../../text/latin-language'
import { speaksOfSelf } from '../../text/speaks-of-self'

/** Asks for all that is remembered. */
const ABOUT_ALL =
  /\bwhat (?:do|did|can|have) you (?:know|remember|recall|noted?|learn(?:ed|t)?)\b.*\b(?:me|my)\b|\bwho am i\b|\babout me\b|qué (?:sabes|sabe|recuerdas|recuerda)\b.*\bm[ií]|quién soy|que (?:sais|savez)[- ](?:tu|vous).*\b(?:moi|mon)|qu['’]est-ce que (?:tu sais|vous savez).*\bmoi|qui suis-je|что (?:ты|вы) (?:знае|помни)(?:шь|те).*(?:мне|меня)|кто я(?!\p{L})|(?:关于|關於)我.*(?:知道|记得|記得|了解)|(?:知道|记得|記得|了解)(?:关于|關於)?我(?:的)?(?:什么|什麼|哪些|多少)|我是[谁誰]|(?:تعرف|تتذكر|تعلم) عني|من أنا/iu
const QUESTION =
  /[?？؟]\s*$|^(?:what|where|when|who|which|how|do|does|am|is|are|qué|cuál|cómo|dónde|quién|quel|quelle|où|comment|как|где|что|какой|какая|какие|ما|ماذا|أين|كيف|هل)(?!\p{L})|什么|什麼|哪|谁|誰|吗|嗎|几|幾|多少/iu
/** Said of the user in any sentence; they tell no memory from another. */
const SELF =
  /^(?:i|my|me|mine|am|mi|mis|yo|soy|mon|ma|mes|je|я|мне|меня|мой|моя|моё|мое|мои|как|где|что|какой|какая|какие|есть|у|أنا|انا|ما|هو|هي|اين|هل)$/u
/** Share of a question's words that a memory must hold. */
const LEAST_SHARE = 0.5
const MOST_QUOTED = 2
const MOST_LISTED = 8
const LABEL = /^\([^)]*\)\s*/u

/**
 * What is remembered that answers a question about the user, in the user's own words, best first; null when the question is none
 * or nothing fits. Rules: who asks for all gets all, else a memory must share half of the question's words.
 * @param memories lines as a turn recalls them: `(kind, date) content`.
 */
export function recallAnswer(question: string, memories: readonly string[]): string[] | null {
  if (memories.length === 0) return null
  const contents = memories.map((line) => line.replace(LABEL, ''))
  if (ABOUT_ALL.test(question)) return contents.slice(0, MOST_LISTED)
  if (!QUESTION.test(question.trim()) || !speaksOfSelf(question)) return null
  const scored = contents
    .map((content) => ({ content, share: sharedWith(question, content) }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((x, y) => y.share - x.share)
  const best = scored[0]?.share ?? 0
  const found = scored.filter(({ share }) => share === best).slice(0, MOST_QUOTED)
  return found.length === 0 ? null : found.map(({ content }) => content)
}

function sharedWith(question: string, content: string): number {
  const mode = detectMode(`${question} ${content}`)
  const held = new Set(wordTokens(content, mode))
  const asked = wordTokens(plainWords(question), mode)
  // A single character of an unspaced script says little; pairs do.
  const wanted = [...new Set(asked)].filter((token) => !/^\p{Script=Han}$/u.test(token))
  if (wanted.length === 0) return 0
  return wanted.filter((token) => held.has(token)).length / wanted.length
}

const FORMS = /什么|什麼|哪里|哪裡|多少|[吗嗎呢谁誰几幾]/gu

const plainWords = (question: string): string =>
  question
    .toLowerCase()
    .replaceAll(FORMS, ' ')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(
      (word) => word !== '' && !SELF.test(word) && !(isFunctionWord(word) && !/\p{Lo}/u.test(word)),
    )
    .join(' ')
