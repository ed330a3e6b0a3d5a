import { useWriter, type WrittenText } from '../../../kit/markdown/use-writer'
import { copyCode } from '../../parts/copy-code'
import { writerWords } from '../../parts/writer-words'
import { useFormat, useShell } from '../../words'

interface Props extends WrittenText {
  onCite: (mark: number) => void
}

/** A reply's text as it comes in. */
export function Markdown({ onCite, ...written }: Props) {
  const shell = useShell()
  const { lang } = useFormat()
  const root = useWriter(written, lang, () => writerWords(shell))

  const onClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element)) return
    const mark = target.closest<HTMLElement>('button[data-cite]')
    if (mark) onCite(Number(mark.dataset.cite))
    copyCode(target, shell('copied'))
  }
  // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: clicks come from the real buttons inside, keyboard included
  return <div class="md" ref={root} onClick={onClick} />
}
