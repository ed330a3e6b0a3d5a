/** Han, kana, Hangul and fullwidth forms: scripts in which one character carries about as much as two letters. */
function isWide(code: number): boolean {
  return (
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xd840 && code <= 0xd888) // first halves of the supplementary ideographs
  )
}

/** The weight of `text` between two offsets: a character counts 1, a Chinese, Japanese or Korean one 2. */
export function weigh(text: string, start = 0, end = text.length): number {
  let weight = end - start
  for (let i = start; i < end; i++) if (isWide(text.charCodeAt(i))) weight += 1
  return weight
}
