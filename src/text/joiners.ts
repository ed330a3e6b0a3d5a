import { once } from './once'

/** Scripts in which a joiner, or its opposite, shapes the letters around it. */
const SHAPED =
  'Arabic Syriac Nko Mandaic Mongolian Phags_Pa Adlam Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar'
    .split(' ')
    .map((script) => `\\p{scx=${script}}`)
    .join('')
/** A joiner with what it joins: letters of such a script, pictures of one emoji. Any other is the last alternative. */
const JOINERS = once(() => {
  const letter = `[[\\p{L}\\p{M}]&&[${SHAPED}]]`
  const picture = String.raw`\p{Extended_Pictographic}`
  return new RegExp(
    `(?<=${letter})[\\u200c\\u200d](?=${letter})|(?<=[${picture}\\p{Emoji_Modifier}])\\u200d(?=${picture})|([\\u200c\\u200d])`,
    'gv',
  )
})

/** Without the joiners that join nothing: as little to see as what is always stripped. */
export const dropJoiners = (text: string): string =>
  /[\u200c\u200d]/u.test(text)
    ? text.replace(JOINERS(), (joiner, stray?: string) => (stray === undefined ? joiner : ''))
    : text
