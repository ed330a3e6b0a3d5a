import { MEMORY } from '../config/limits'
import { cutText } from '../text/cut'
import { stripUnseen } from '../text/neutralise'

const CODE = /```[\s\S]*?(?:```|$)/gu
const QUOTED_LINE = /^[ \t]*>.*$/gmu
/** Longer quotations are somebody else's text; a short one may be a name. */
const QUOTATION =
  /"[^"\n]{40,}"|“[^”]{40,}”|«[^»]{40,}»|「[^」]{20,}」|『[^』]{20,}』|„[^“”]{40,}[“”]/gu

/** A message without pasted code and quoted text, of a bounded length. */
export const unquoted = (message: string): string =>
  stripUnseen(cutText(message, MEMORY.messageLength))
    .replaceAll(CODE, '\n')
    .replaceAll(QUOTED_LINE, '')
    .replaceAll(QUOTATION, ' ')
    .trim()
