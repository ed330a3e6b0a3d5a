import { useLayoutEffect, useRef } from 'preact/hooks'
import { MarkdownWriter, type MarkLabel } from '../../kit/markdown/writer'
import { useLocale } from './context'
import { copyText } from './copy'

interface Props {
  text: string
  /** More text may follow. */
  live: boolean
  labels: ReadonlyMap<number, MarkLabel>
  /** The labels are complete: a mark that has none is not a citation. */
  labelsFinal: boolean
  onCite: (mark: number) => void
}

const COPIED_MS = 2000

/** A reply's text. The DOM below this element belongs to the writer, which only ever appends while text streams. */
export function Markdown({ text, live, labels, labelsFinal, onCite }: Props) {
  const { t, lang } = useLocale()
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
            copyCode: t('copy'),
            code: t('code'),
            table: t('table'),
            done: t('taskDone'),
            notDone: t('taskOpen'),
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
  }, [text, live, labels, labelsFinal, lang, t])

  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return
    const mark = event.target.closest<HTMLElement>('button[data-cite]')
    if (mark) onCite(Number(mark.dataset.cite))
    const copy = event.target.closest<HTMLButtonElement>('button[data-copy]')
    if (copy) void copyCode(copy, t('copied'))
  }

  // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: clicks come from the real buttons inside, keyboard included
  return <div class="md" ref={root} onClick={onClick} />
}

async function copyCode(button: HTMLButtonElement, copied: string): Promise<void> {
  const code = button.closest('figure')?.querySelector('code')?.textContent ?? ''
  if (!(await copyText(code))) return
  const label = button.textContent
  button.textContent = copied
  setTimeout(() => {
    button.textContent = label
  }, COPIED_MS)
}
