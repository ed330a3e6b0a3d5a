import { useEffect, useState } from 'preact/hooks'
import { Button, Dialog } from '../parts'
import { onLeaving } from '../router'
import { useShell } from '../words'

/** Asked where somebody leaves a screen with unsaved changes; while it is `away`, nobody does. */
export function LeaveQuestion({ away }: { away: boolean }) {
  const t = useShell()
  const [answer, setAnswer] = useState<((leaves: boolean) => void) | null>(null)
  useEffect(() => {
    onLeaving(async () =>
      away
        ? false
        : new Promise((resolve) => {
            setAnswer(() => resolve)
          }),
    )
  }, [away])
  if (answer === null) return null
  const say = (leaves: boolean) => {
    setAnswer(null)
    answer(leaves)
  }
  return (
    <Dialog
      title={t('leaveTitle')}
      onClose={() => say(false)}
      actions={
        <>
          <Button onClick={() => say(false)}>{t('stay')}</Button>
          <Button kind="danger" onClick={() => say(true)}>
            {t('leaveUnsaved')}
          </Button>
        </>
      }
    >
      <p>{t('leaveText')}</p>
    </Dialog>
  )
}
