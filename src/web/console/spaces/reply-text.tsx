import { useLayoutEffect, useRef } from 'preact/hooks'
import { MarkdownWriter } from '../../kit/markdown/writer'
import { copyCode } from '../parts/copy-code'
import { usePeople } from '../users/words'
import { useShell } from '../words'
import type { Source } from './types'

/** A finished reply as its user saw it: Markdown written into nodes, never parsed as HTML. Marks number the sources below it. */
export function ReplyText({ text, sources }: { text: string; sources: readonly Source[] }) {
  const t = usePeople()
  const shell = useShell()
  const root = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (root.current === null) return
    const writer = new MarkdownWriter(root.current, {
      copyCode: shell('copy'),
      code: t('code'),
      table: t('table'),
      done: t('taskDone'),
      notDone: t('taskOpen'),
    })
    writer.write(text)
    writer.end()
    const marks = sources.flatMap(({ n }) => (n === undefined ? [] : [n]))
    writer.label(new Map(marks.map((n) => [n, { label: n, name: null }])), true)
  }, [text, sources, shell, t])
  const onClick = ({ target }: MouseEvent) => copyCode(target, shell('copied'))
  // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: clicks come from the real buttons inside, keyboard included
  return <div class="md" dir="auto" ref={root} onClick={onClick} />
}
