import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { WriterLabels } from './elements'
import { MarkdownWriter, type MarkLabel } from './writer'

export interface WrittenText {
  text: string
  /** More text may follow. */
  live: boolean
  labels: ReadonlyMap<number, MarkLabel>
  /** The labels are complete: a mark that has none is not a citation. */
  labelsFinal: boolean
}

/**
 * Shows a reply's text. What is below the element of the returned ref belongs to the writer: it appends while the text
 * grows, and begins anew where the text or the language is another.
 * @param words of the writer's own buttons and labels, in `lang`
 */
export function useWriter(
  { text, live, labels, labelsFinal }: WrittenText,
  lang: string,
  words: () => WriterLabels,
): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null)
  const state = useRef<{ writer: MarkdownWriter; ended: boolean; lang: string } | null>(null)

  useLayoutEffect(() => {
    if (root.current === null) return
    const known = state.current
    const continues =
      known !== null &&
      known.lang === lang &&
      (known.ended ? known.writer.text === text && !live : text.startsWith(known.writer.text))
    const current = continues
      ? known
      : { writer: new MarkdownWriter(root.current, words()), ended: false, lang }
    state.current = current
    const { writer } = current
    if (text.length > writer.text.length) writer.write(text.slice(writer.text.length))
    if (!live && !current.ended) {
      writer.end()
      current.ended = true
    }
    writer.label(labels, labelsFinal)
  }, [text, live, labels, labelsFinal, lang])

  return root
}
