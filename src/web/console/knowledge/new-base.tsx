import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Button, Dialog, Problem } from '../parts'
import { fieldError, unlessShown } from '../parts/field-error'
import { navigate } from '../router'
import { useAct } from '../use-load'
import { useShell } from '../words'
import { screens } from './addresses'
import type { BaseFields as Values } from './base'
import { BaseFields } from './base-fields'
import { useKnowledgeWords } from './words'

const NEW: Values = { name: '', instructions: '', downloads: false, rerank: false, refresh: 'off' }

/** Asks for what a base is, and goes to it once it is made. */
export function NewBase({ onClose }: { onClose: () => void }) {
  const t = useKnowledgeWords()
  const shell = useShell()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [draft, setDraft] = useState(NEW)
  const name = draft.name.trim()
  const error = (path: string) => fieldError(problem, path)
  const create = () =>
    act(async () => {
      await api.post('/v1/knowledge-bases', { ...draft, name })
      navigate(screens.documents(name))
    })
  return (
    <Dialog
      title={t('newBase')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button kind="primary" busy={busy} disabled={name === ''} onClick={() => void create()}>
            {t('create')}
          </Button>
        </>
      }
    >
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (name !== '') void create()
        }}
      >
        <BaseFields
          draft={draft}
          error={error}
          set={(key, value) => setDraft((was) => ({ ...was, [key]: value }))}
        />
      </form>
      <Problem of={unlessShown(problem, Object.keys(NEW))} />
    </Dialog>
  )
}
