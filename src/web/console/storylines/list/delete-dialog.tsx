import { useApi } from '../../api/call'
import { ConfirmDialog, useToast } from '../../parts'
import { to } from '../../router'
import { useShell } from '../../words'
import type { Storyline } from '../types'
import { useListWords } from './words'

interface Props {
  storyline: Storyline
  active: number
  onClose: () => void
  onDeleted: () => void
}

export function DeleteDialog({ storyline, active, onClose, onDeleted }: Props) {
  const t = useListWords()
  const shell = useShell()
  const api = useApi()
  const toast = useToast()
  const name = storyline.name || storyline.key
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name })}
      text={t('deleteText')}
      lost={[
        t('lostRevisions'),
        t('lostNotes'),
        ...(active > 0 ? [t('lostPeople', { n: active })] : []),
      ]}
      {...(active > 0 ? { typed: storyline.key } : {})}
      confirm={shell('delete')}
      danger
      onConfirm={async () => {
        await api.del(to`/v1/storylines/${storyline.id}`)
        toast(t('deleted'))
        onDeleted()
      }}
      onClose={onClose}
    />
  )
}
