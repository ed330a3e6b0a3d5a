import { placesOf } from './find-places'

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
