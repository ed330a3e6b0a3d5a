import { useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import {
  Badge,
  Button,
  ConfirmDialog,
  Copy,
  KeyValues,
  Problem,
  SecretField,
  SwitchField,
  TextField,
  useToast,
} from '../../parts'
import { useGuard } from '../../router'
import { useAct } from '../../use-load'
import { useShell } from '../../words'
import type { Oauth } from '../types'
import { useSignInWords } from './words'

const NAMES = { google: 'Google', github: 'GitHub' } as const

interface Props {
  provider: Oauth
  onChanged: () => void
}

export function Provider({
  provider: { provider, client_id, configured, enabled },
  onChanged,
}: Props) {
  const t = useSignInWords()
  const shell = useShell()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const [editing, setEditing] = useState(false)
  const [clearing, setClearing] = useState(false)
  const name = NAMES[provider]
  const path = `/v1/tenant/oauth/${provider}`
  const callback = `${location.origin}/auth/oauth/${provider}/callback`
  const change = (work: () => Promise<unknown>) =>
    act(async () => {
      await work()
      say(t('saved'))
      onChanged()
    })
  return (
    <section class="settings-item stack" aria-label={name}>
      <div class="row settings-item-head">
        <h3>{name}</h3>
        {configured && enabled ? (
          <Badge tone="ok">{t('inUse')}</Badge>
        ) : configured ? (
          <Badge tone="quiet">{shell('off')}</Badge>
        ) : (
          <Badge tone="warn">{t('noCredentials')}</Badge>
        )}
        <SwitchField
          label={t('offerProvider', { name })}
          checked={enabled}
          disabled={busy}
          onChange={(on) => void change(() => api.put(`${path}/enabled`, { enabled: on }))}
        />
      </div>
      <KeyValues
        rows={[
          [
            t('callback'),
            <span key="callback" class="row">
              <code dir="ltr" class="settings-code">
                {callback}
              </code>
              <Copy text={callback} />
            </span>,
          ],
          [
            t('clientId'),
            client_id === null ? (
              <span class="muted">{shell('none')}</span>
            ) : (
              <code dir="ltr" class="settings-code">
                {client_id}
              </code>
            ),
          ],
        ]}
      />
      {editing ? (
        <Credentials
          busy={busy}
          clientId={client_id ?? ''}
          problem={problem}
          onCancel={() => setEditing(false)}
          onSave={async (credentials) => {
            if (await change(() => api.put(path, credentials))) setEditing(false)
          }}
        />
      ) : (
        <>
          <div class="row">
            <Button small onClick={() => setEditing(true)} icon="key">
              {t(configured ? 'replaceCredentials' : 'setCredentials')}
            </Button>
            {client_id !== null && (
              <Button small kind="quiet" onClick={() => setClearing(true)}>
                {t('clearCredentials')}
              </Button>
            )}
          </div>
          <Problem of={problem} />
        </>
      )}
      {clearing && (
        <ConfirmDialog
          title={t('clearTitle', { name })}
          text={t('clearText')}
          lost={[t('lostProvider', { name })]}
          confirm={t('clearCredentials')}
          danger
          onConfirm={async () => {
            await api.del(path)
            say(t('saved'))
            onChanged()
          }}
          onClose={() => setClearing(false)}
        />
      )}
    </section>
  )
}

interface CredentialsProps {
  busy: boolean
  clientId: string
  problem: ReturnType<typeof useAct>['problem']
  onSave: (credentials: { client_id: string; client_secret: string }) => void
  onCancel: () => void
}

function Credentials({ busy, clientId, problem, onSave, onCancel }: CredentialsProps) {
  const t = useSignInWords()
  const shell = useShell()
  const [id, setId] = useState(clientId)
  const [secret, setSecret] = useState('')
  useGuard(secret !== '' || id !== clientId)
  const errorOf = (path: string) =>
    problem?.fields.find((field) => field.path === path)?.message ?? null
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onSave({ client_id: id.trim(), client_secret: secret.trim() })
      }}
    >
      <div class="grid2">
        <TextField
          label={t('clientId')}
          mono
          value={id}
          onInput={setId}
          error={errorOf('client_id')}
        />
        <SecretField
          label={t('clientSecret')}
          value={secret}
          onInput={setSecret}
          error={errorOf('client_secret')}
          hint={t('secretHint')}
        />
      </div>
      {problem?.fields.length === 0 && <Problem of={problem} />}
      <div class="row">
        <Button kind="primary" type="submit" busy={busy} disabled={id === '' || secret === ''}>
          {shell('save')}
        </Button>
        <Button onClick={onCancel}>{shell('cancel')}</Button>
      </div>
    </form>
  )
}
