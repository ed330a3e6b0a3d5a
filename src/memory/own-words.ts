import { MEMORY } from '../config/limits'
import { cutText } from '../text/cut'
import { stripUnseen } from '../text/neutralise'
import { withoutSecrets } from './secrets'

const CODE = /```[\s\S]*?(?:```|$)/gu
const QUOTED_LINE = /^[ \t]*>.*$/gmu
/** Longer quotations are somebody else's text; a short one may be a name. */
const QUOTATION =
  /"[^"\n]{40,}"|“[^”]{40,}”|«[^»]{40,}»|「[^」]{20,}」|『[^』]{20,}』|„[^“”]{40,}[“”]/gu

/** What a message says in the user's own words: no pasted code, no quoted text, no secret, a bounded length. */
export function ownWords(message: string): string {
  const own = stripUnseen(cutText(message, MEMORY.messageLength))
    .replaceAll(CODE, '\n')
    .replaceAll(QUOTED_LINE, '')
    .replaceAll(QUOTATION, ' ')
  return withoutSecrets(own).trim()
}
