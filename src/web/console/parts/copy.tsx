import { useShell } from '../words'
import { Button } from './button'
import { useToast } from './toast'

/** Puts a text on the clipboard and says so. */
export function Copy({ text, label }: { text: string; label?: string }) {
  const t = useShell()
  const say = useToast()
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say(t('copied')),
      () => say(t('notCopied')),
    )
  return (
    <Button small kind="quiet" icon="copy" onClick={() => void copy()}>
      {label ?? t('copy')}
    </Button>
  )
}

/** Text as it is written, to be copied. */
export function CodeBlock({ text, label }: { text: string; label?: string }) {
  const t = useShell()
  return (
    <div class="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section class="code-lines" tabIndex={0} dir="ltr" aria-label={label ?? t('code')}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <Copy text={text} />
    </div>
  )
}
