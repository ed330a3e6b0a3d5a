import { dropJoiners } from './joiners'

/** C0 and C1 controls but tab and line feed, and every invisible format character: zero-width, bidi, tags, fillers. */
const INVISIBLE = /[[\p{Cc}--[\t\n]]\p{Default_Ignorable_Code_Point}\p{Cf}\u2028\u2029]/gv
const JOINER = /[\u200c\u200d]/u
/** Chat-template tokens of common models: <|im_start|>, [INST], <<SYS>>, <s>, <system>, <tool_call>… */
const TEMPLATE_TOKENS =
  /<\|[^|<>\n]{1,40}\|>|\[\/?(?:INST|SYS)\]|<<\/?[A-Z]{2,12}\b|<\/?(?:s|system|assistant|user|human|tool_call|tool_response|function_calls?|instructions?|start_of_turn|end_of_turn|think)>/giu
/** A line that poses as a turn of the conversation. */
const ROLE_LINE =
  /^([ \t>*_#]*)(system|assistant|user|human|developer|tool|ai|sistema|asistente|usuario|système|assistant·e|utilisateur|система|ассистент|пользователь|系统|系統|助手|用户|用戶|النظام|المساعد|المستخدم)((?:[ \t]*(?:prompt|message|instructions?))?[ \t*_]*)[:：]/gimu
const WIDE_OFFSET = 0xfee0

const withLineFeeds = (text: string) => text.replaceAll(/\r\n?/gu, '\n')

/** Removes control, zero-width, bidi and tag characters; keeps tab and line feed. */
export function stripInvisible(text: string): string {
  return withLineFeeds(text).replaceAll(INVISIBLE, '')
}

/** The same for what people are shown: the joiners that shape letters or make one emoji of several stay. */
export function stripUnseen(text: string): string {
  const visible = withLineFeeds(text).replaceAll(INVISIBLE, (sign) =>
    JOINER.test(sign) ? sign : '',
  )
  return dropJoiners(visible)
}

/**
 * Makes retrieved or reported text safe to stand in a prompt as data: no invisible characters, no line or token that
 * reads as a turn of the conversation, at most `maxChars`. What it replaces becomes its full-width form, which NFKC
 * folds back, so that a quote of it is still found in the stored passage.
 */
export function neutralise(text: string, maxChars: number): string {
  const plain = stripInvisible(text.slice(0, maxChars * 2))
  const safe = plain
    .replaceAll(TEMPLATE_TOKENS, (token) => widen(token))
    .replaceAll(ROLE_LINE, (_, before: string, role: string, after: string) => {
      return `${before}${role}${after}：`
    })
  return cut(safe, maxChars)
}

const widen = (token: string) =>
  token.replaceAll(/[<>|[\]/]/gu, (c) => String.fromCharCode(c.charCodeAt(0) + WIDE_OFFSET))

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const end = /[\ud800-\udbff]/u.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars
  return `${text.slice(0, end)}…`
}
