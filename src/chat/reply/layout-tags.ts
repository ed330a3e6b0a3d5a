const NAMES =
  'p|div|br|hr|ul|ol|li|h[1-6]|section|article|center|html|body|span|font|b|strong|i|em|u'
const ATTRIBUTES = String.raw`(?:\s+[a-z-]{1,20}=(?:"[^"<>\n]{0,60}"|'[^'<>\n]{0,60}'))*\s?`

/** A tag of HTML that says how its text looks and nothing else. */
export const LAYOUT_TAG = String.raw`<(?:\/(?:${NAMES})\s?|(?:${NAMES})${ATTRIBUTES}\/?)>`

const IS_LAYOUT = new RegExp(`^${LAYOUT_TAG}$`, 'iu')
const INLINE = /^<\/?(?:span|font|b|strong|i|em|u)\b/iu
const ENDED = /(?:[.!?…:。！？：؟)\]]|\p{Script=Han})\s*$/u
const OPENED = /[([{"'“«「（]$/u

export const isLayoutTag = (tag: string): boolean => IS_LAYOUT.test(tag)

/** Where a tag stands: what was said before it on its line, and the character behind it. */
interface Place {
  before: string
  after: string
}

/** "The <br> tag breaks a line" speaks of the tag; what stands between words without being one of them lays them out. */
export function laysOut(tag: string, { before, after }: Place): boolean {
  if (OPENED.test(before)) return false
  if (before === '' || (/[^\s\p{L}\p{N}]$/u.test(before) && !/[,،、，]$/u.test(before))) return true
  if (tag.startsWith('</')) return /\S$/u.test(before)
  return INLINE.test(tag) ? /^\S/u.test(after) : /\S$/u.test(before) || ENDED.test(before)
}

/** What a tag puts before the next words, given what is put there already. */
export function breakOf(tag: string, put: string): string {
  const name = /^<\/?([a-z]+)/iu.exec(tag)?.[1]?.toLowerCase() ?? ''
  if (INLINE.test(tag) || put.endsWith('- ')) return put
  if (name === 'li') return tag.startsWith('</') ? put : `${put === '' ? '\n' : put}- `
  return name === 'br' && put === '' ? '\n' : '\n\n'
}
