interface Place {
  start: number
  end: number
}

/**
 * Where sentences stand in a text, whatever stands between their words; in order. `left` are the sentences that it does
 * not hold, or that overlap with another.
 */
export function placesOf(
  text: string,
  sentences: readonly string[],
): { places: Place[]; left: string[] } {
  const places: Place[] = []
  const left: string[] = []
  for (const sentence of sentences) {
    const words = sentence.trim().split(/\s+/).filter(Boolean)
    if (words.length === 0) continue
    const found = new RegExp(words.map(escaped).join('\\s*')).exec(text)
    const place = found && { start: found.index, end: found.index + found[0].length }
    const isFree = place && places.every((one) => place.end <= one.start || place.start >= one.end)
    if (isFree) places.push(place)
    else left.push(sentence.trim())
  }
  places.sort((one, other) => one.start - other.start)
  return { places, left }
}

const escaped = (word: string) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Marks sentences in what is shown of an answer. Returns those that are not in it. */
export function markSentences(root: HTMLElement, sentences: readonly string[]): string[] {
  root.normalize()
  const { places, left } = placesOf(root.textContent ?? '', sentences)
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: { node: Text; start: number }[] = []
  for (let length = 0; walker.nextNode(); ) {
    const node = walker.currentNode as Text
    texts.push({ node, start: length })
    length += node.data.length
  }
  for (const { node, start } of texts) {
    // From the end, so that what is before a mark stays where it was.
    for (const place of [...places].reverse()) {
      const from = Math.max(0, place.start - start)
      const to = Math.min(node.data.length, place.end - start)
      if (from >= to) continue
      const part = from > 0 ? node.splitText(from) : node
      if (to - from < part.data.length) part.splitText(to - from)
      const mark = document.createElement('mark')
      part.replaceWith(mark)
      mark.append(part)
    }
  }
  return left
}
