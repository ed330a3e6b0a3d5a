/** The first `length` units of a text, without half a character at the end. */
export function cutText(text: string, length: number): string {
  const cut = text.slice(0, length)
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}
