import { useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import { Button, CheckList, Dialog, Problem, RadioGroup, TextField } from '../../parts'
import { useAct } from '../../use-load'
import { useShell } from '../../words'
import { ShownOnce } from '../shown-once'
import { useSecurityWords } from './words'

interface Props {
  onCreated: () => void
  onClose: () => void
}

const SCOPES = [
  ['manage', 'scopeManage', 'scopeManageHint'],
  ['chat', 'scopeChat', 'scopeChatHint'],
  ['read', 'scopeRead', 'scopeReadHint'],
] as const

/** Its plaintext is in one answer alone, so the dialog stays until the reader says that they have it. */
export function NewKey({ onCreated, onClose }: Props) {
  const t = useSecurityWords()
  const shell = useShell()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [name, setName] = useState('')
  const [isAll, setIsAll] = useState(true)
  const [scopes, setScopes] = useState<string[]>([])
  const [plaintext, setPlaintext] = useState<string | null>(null)
  const create = () =>
    act(async () => {
      const body = { name: name.trim(), ...(isAll ? {} : { scopes }) }
      const { api_key } = await api.post<{ api_key: string }>('/v1/tenant/keys', body)
      setPlaintext(api_key)
      onCreated()
    })
  if (plaintext !== null)
    return (
      <ShownOnce title={t('keyMade')} text={t('keyOnce')} secret={plaintext} onClose={onClose} />
    )
  const errorOf = (path: string) =>
    problem?.fields.find((field) => field.path.startsWith(path))?.message
  return (
    <Dialog
      title={t('newKey')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button
            kind="primary"
            busy={busy}
            disabled={name.trim() === '' || (!isAll && scopes.length === 0)}
            onClick={() => void create()}
          >
            {shell('create')}
          </Button>
        </>
      }
    >
      <TextField
        label={shell('name')}
        value={name}
        maxLength={80}
        onInput={setName}
        error={errorOf('name')}
        hint={t('keyNameHint')}
      />
      <RadioGroup
        label={t('scopes')}
        value={isAll ? 'all' : 'some'}
        options={[
          { value: 'all', label: t('scopeSame'), hint: t('scopeSameHint') },
          { value: 'some', label: t('scopeSome') },
        ]}
        onChange={(which) => setIsAll(which === 'all')}
      />
      {!isAll && (
        <CheckList
          label={t('scopeChoose')}
          options={SCOPES.map(([value, label, hint]) => ({
            value,
            label: t(label),
            hint: t(hint),
          }))}
          value={scopes}
          onChange={setScopes}
          error={errorOf('scopes')}
        />
      )}
      {(problem === null || problem.fields.length === 0) && <Problem of={problem} />}
    </Dialog>
  )
}
