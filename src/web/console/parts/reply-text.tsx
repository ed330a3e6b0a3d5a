import { useLayoutEffect, useRef } from 'preact/hooks'
import { MarkdownWriter } from '../../kit/markdown/writer'
import { useShell } from '../words'
import { copyCode } from './copy-code'
import { writerWords } from './writer-words'

interface Props {
  text: string
  /** Marks that number the sources below it. */
  sources?: readonly { n?: number | undefined }[]
  /** Changes what was written into the element. */
  onWritten?: (root: HTMLElement) => void
}

const NO_SOURCES: NonNullable<Props['sources']> = []

/** A finished reply as its user saw it: Markdown written into nodes, never parsed as HTML. */
export function ReplyText({ text, sources = NO_SOURCES, onWritten }: Props) {
  const shell = useShell()
  const root = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (root.current === null) return
    const writer = new MarkdownWriter(root.current, writerWords(shell))
    writer.write(text)
    writer.end()
    const marks = sources.flatMap(({ n }) => (n === undefined ? [] : [n]))
    writer.label(new Map(marks.map((n) => [n, { label: n, name: null }])), true)
    onWritten?.(root.current)
  }, [text, sources, shell, onWritten])
  const onClick = ({ target }: MouseEvent) => copyCode(target, shell('copied'))
  // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: clicks come from the real buttons inside, keyboard included
  return <div class="md" dir="auto" ref={root} onClick={onClick} />
}
