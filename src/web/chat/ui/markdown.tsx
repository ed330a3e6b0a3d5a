import { useWriter, type WrittenText } from '../../kit/markdown/use-writer'
import { useLocale } from './context'
import { copyText } from './copy'

interface Props extends WrittenText {
  onCite: (mark: number) => void
}

const COPIED_MS = 2000

/** A reply's text. */
export function Markdown({ onCite, ...written }: Props) {
  const { t, lang } = useLocale()
  const root = useWriter(written, lang, () => ({
    copyCode: t('copy'),
    code: t('code'),
    table: t('table'),
    done: t('taskDone'),
    notDone: t('taskOpen'),
  }))

  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return
    const mark = event.target.closest<HTMLElement>('button[data-cite]')
    // Safari gives no focus to a button that is pressed, and what the mark opens gives the focus back to it.
    mark?.focus()
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
