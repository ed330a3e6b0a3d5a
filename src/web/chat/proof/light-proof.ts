import type { ReplyEntry } from '../model/chat'
import { bareText, findSentence } from './sentences'

/** A sentence of a reply as it stands on the page, and what it rests on: `{source} {place}` of each. */
interface ShownSentence {
  range: Range
  proofs: string[]
}

const HIGHLIGHT = 'proven-sentence'

/** How a source's mark, or one place of its passage, is known on the page. */
export const proofName = (replyKey: string, n: number, place?: number): string =>
  place === undefined ? `${replyKey} ${n}` : `${replyKey} ${n} ${place}`

/**
 * Lights up what a sentence rests on, and the sentence, while it is hovered or a mark in it has the focus: whatever on the
 * page bears the name of its proof gets `data-lit`. @returns what ends it.
 */
export function lightProof(root: HTMLElement, reply: ReplyEntry): () => void {
  const end = new AbortController()
  const { signal } = end
  let sentences: ShownSentence[] | null = null
  let lit: ShownSentence | null = null
  const light = (sentence: ShownSentence | null) => {
    if (sentence === lit) return
    lit = sentence
    show(sentence)
  }
  const atMark = (target: EventTarget | null): ShownSentence | null => {
    const mark = target instanceof Element ? target.closest<HTMLElement>('button[data-cite]') : null
    if (mark === null) return null
    sentences ??= findShown(root, reply)
    const proof = proofName(reply.key, Number(mark.dataset.cite))
    const its = sentences.filter(({ proofs }) => proofs.includes(proof))
    // A mark stands in its sentence or right behind it.
    return its.findLast(({ range }) => range.comparePoint(mark, 0) >= 0) ?? its[0] ?? null
  }
  const atPoint = ({ clientX, clientY }: PointerEvent): ShownSentence | null => {
    sentences ??= findShown(root, reply)
    return (
      sentences.find(({ range }) =>
        [...range.getClientRects()].some(
          ({ left, right, top, bottom }) =>
            clientX >= left && clientX <= right && clientY >= top && clientY <= bottom,
        ),
      ) ?? null
    )
  }
  const leave = () => {
    light(null)
    sentences = null
  }
  root.addEventListener('pointermove', (event) => light(atMark(event.target) ?? atPoint(event)), {
    signal,
    passive: true,
  })
  root.addEventListener('pointerleave', leave, { signal })
  root.addEventListener('focusin', (event) => light(atMark(event.target)), { signal })
  root.addEventListener('focusout', leave, { signal })
  return () => {
    leave()
    end.abort()
  }
}

function show(sentence: ShownSentence | null): void {
  for (const element of document.querySelectorAll('[data-lit]')) element.removeAttribute('data-lit')
  CSS.highlights?.delete(HIGHLIGHT)
  if (sentence === null) return
  CSS.highlights?.set(HIGHLIGHT, new Highlight(sentence.range))
  for (const element of document.querySelectorAll<HTMLElement>('[data-proof]'))
    if (sentence.proofs.includes(element.dataset.proof ?? '')) element.dataset.lit = ''
}

function findShown(root: HTMLElement, reply: ReplyEntry): ShownSentence[] {
  const shown = shownLetters(root)
  const found = new Map<string, ShownSentence>()
  for (const { n, quotes = [] } of reply.sources ?? []) {
    if (n === null) continue
    for (const [place, { sentences }] of quotes.entries()) {
      for (const sentence of sentences) {
        const proofs = [proofName(reply.key, n), proofName(reply.key, n, place)]
        const id = `${sentence.start} ${sentence.end}`
        const known = found.get(id)
        const at = known ? null : findSentence(reply.text, sentence, shown.text)
        if (known) known.proofs.push(...proofs)
        else if (at) found.set(id, { range: shown.range(at.from, at.to), proofs })
      }
    }
  }
  return [...found.values()]
}

/** Letters that a reply shows, without those of its buttons. */
function shownLetters(root: HTMLElement): { text: string; range(from: number, to: number): Range } {
  const places: { node: Text; at: number }[] = []
  let text = ''
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest('button')) continue
    const bare = bareText(node.nodeValue ?? '')
    text += bare.text
    for (const at of bare.at) places.push({ node: node as Text, at })
  }
  return {
    text,
    range(from, to) {
      const range = document.createRange()
      const [first, last] = [places[from], places[to - 1]]
      if (first) range.setStart(first.node, first.at)
      if (last) range.setEnd(last.node, last.at + 1)
      return range
    },
  }
}
