import { Button, CodeBlock, Dialog, Notice } from '../parts'
import { useSettingsWords } from './words'

interface Props {
  title: string
  text: string
  secret: string
  onClose: () => void
}

/** A secret that nobody can read again. */
export function ShownOnce({ title, text, secret, onClose }: Props) {
  const t = useSettingsWords()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t('haveIt')}
        </Button>
      }
    >
      <Notice tone="warn">{text}</Notice>
      <CodeBlock text={secret} label={title} />
    </Dialog>
  )
}
