import { useLayoutEffect, useRef } from 'preact/hooks'
import { MarkdownWriter, type MarkLabel } from '../../../kit/markdown/writer'
import { copyCode } from '../../parts/copy-code'
import { useFormat, useShell } from '../../words'

interface Props {
  text: string
  /** More may follow. */
  live: boolean
  labels: ReadonlyMap<number, MarkLabel>
  labelsFinal: boolean
  onCite: (mark: number) => void
}

/** A reply's text. What is below this element belongs to the writer, which only appends while text comes in. */
export function Markdown({ text, live, labels, labelsFinal, onCite }: Props) {
  const shell = useShell()
  const { lang } = useFormat()
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
      : {
          writer: new MarkdownWriter(root.current, {
            copyCode: shell('copy'),
            code: shell('code'),
            table: shell('table'),
            done: shell('taskDone'),
            notDone: shell('taskOpen'),
          }),
          ended: false,
          lang,
        }
    state.current = current
    const { writer } = current
    if (text.length > writer.text.length) writer.write(text.slice(writer.text.length))
    if (!live && !current.ended) {
      writer.end()
      current.ended = true
    }
    writer.label(labels, labelsFinal)
  }, [text, live, labels, labelsFinal, lang, shell])

  const onClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element)) return
    const mark = target.closest<HTMLElement>('button[data-cite]')
    if (mark) onCite(Number(mark.dataset.cite))
    copyCode(target, shell('copied'))
  }
  // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: clicks come from the real buttons inside, keyboard included
  return <div class="md" ref={root} onClick={onClick} />
}
