/** A text without the signs at its ends: in one pass, which an expression bound to the end does not take. */
export function trimSigns(text: string, sign: RegExp): string {
  let from = 0
  let to = text.length
  while (from < to && sign.test(text.charAt(from))) from++
  while (to > from && sign.test(text.charAt(to - 1))) to--
  return text.slice(from, to)
}
