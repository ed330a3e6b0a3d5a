import { useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import {
  Badge,
  Button,
  ConfirmDialog,
  KeyValues,
  Notice,
  RadioGroup,
  SecretField,
  TextField,
  useToast,
} from '../../parts'
import { useGuard } from '../../router'
import { useAct } from '../../use-load'
import { useFormat, useShell } from '../../words'
import { Refused } from '../refused'
import { Card } from '../settings-page'
import type { ModelStatus, Privacy } from '../types'
import { type PrivacyKey, usePrivacyWords } from './words'

const PATH = '/v1/tenant/privacy'

export const MODEL_FAILURES = {
  key_refused: 'modelKeyRefused',
  key_unreadable: 'modelKeyUnreadable',
  model_unknown: 'modelUnknown',
  request_refused: 'modelRequestRefused',
  too_many_requests: 'modelTooMany',
  timeout: 'modelTimeout',
  unavailable: 'modelUnavailable',
} as const satisfies Record<NonNullable<ModelStatus['code']>, PrivacyKey>

interface Props {
  privacy: Privacy
  status: ModelStatus
  onSaved: (privacy: Privacy) => void
}

export function OwnModel({ privacy, status, onSaved }: Props) {
  const t = usePrivacyWords()
  const shell = useShell()
  const format = useFormat()
  const api = useApi()
  const say = useToast()
  const [editing, setEditing] = useState(false)
  const [removing, setRemoving] = useState(false)
  const { byok, byok_provider, privacy_mode } = privacy
  return (
    <Card
      title={t('ownModel')}
      text={t('ownModelText')}
      aside={
        byok_provider === null ? (
          <Badge tone="quiet">{t('platformModel')}</Badge>
        ) : (
          <Badge tone="ok">{t('inUse')}</Badge>
        )
      }
    >
      {byok_provider !== null && (
        <KeyValues
          rows={[
            [t('provider'), t(byok_provider === 'workers-ai' ? 'workersAi' : 'compatible')],
            ...(byok === null
              ? []
              : ([
                  [t('modelName'), <bdi key="model">{byok.model}</bdi>],
                  [t('endpoint'), <bdi key="host">{byok.host ?? shell('none')}</bdi>],
                  [t('modelKey'), byok.has_api_key ? t('keyStored') : shell('none')],
                ] as const)),
          ]}
        />
      )}
      {byok_provider !== null && byok === null && (
        <Notice tone="bad">{t('modelKeyUnreadable')}</Notice>
      )}
      {status.state === 'failing' && status.code && (
        <Notice tone="bad">
          {t(MODEL_FAILURES[status.code])}{' '}
          <span class="muted">
            <bdi>{status.model}</bdi>
            {status.since && ` · ${t('since', { time: format.time(status.since) })}`}
          </span>
        </Notice>
      )}
      {editing ? (
        <ModelForm
          privacy={privacy}
          onSaved={(next) => {
            onSaved(next)
            setEditing(false)
            say(t('saved'))
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <div class="row">
          <Button icon="key" onClick={() => setEditing(true)}>
            {t(byok_provider === null ? 'setModel' : 'changeModel')}
          </Button>
          {byok_provider !== null && (
            <Button kind="quiet" onClick={() => setRemoving(true)}>
              {t('removeModel')}
            </Button>
          )}
        </div>
      )}
      {removing && (
        <ConfirmDialog
          title={t('removeModel')}
          text={t('removeModelText')}
          lost={[t('lostModelKey')]}
          confirm={t('removeModel')}
          danger
          onConfirm={async () => {
            onSaved(await api.put<Privacy>(PATH, { privacy_mode, byok_config: null }))
            say(t('saved'))
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </Card>
  )
}

interface FormProps {
  privacy: Privacy
  onSaved: (privacy: Privacy) => void
  onCancel: () => void
}

/** The address is not told back, since its path may be a secret: whoever changes the model writes it again. */
function ModelForm({ privacy, onSaved, onCancel }: FormProps) {
  const t = usePrivacyWords()
  const shell = useShell()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [provider, setProvider] = useState(privacy.byok_provider ?? 'openai-compatible')
  const [address, setAddress] = useState('')
  const [key, setKey] = useState('')
  const [model, setModel] = useState(privacy.byok?.model ?? '')
  const isOwn = provider === 'openai-compatible'
  useGuard(`${address}${key}` !== '' || model !== (privacy.byok?.model ?? ''))
  const errorOf = (name: string) =>
    problem?.fields.find(({ path }) => path === `byok_config.${name}`)?.message ?? null
  const save = () =>
    act(async () => {
      const byok_config = isOwn
        ? {
            provider,
            base_url: address.trim(),
            model: model.trim(),
            ...(key === '' ? {} : { api_key: key.trim() }),
          }
        : { provider, ...(model.trim() === '' ? {} : { model: model.trim() }) }
      const { privacy_mode } = await api.get<Privacy>(PATH)
      onSaved(await api.put<Privacy>(PATH, { privacy_mode, byok_config }))
    })
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <RadioGroup
        label={t('provider')}
        value={provider}
        options={[
          { value: 'openai-compatible', label: t('compatible'), hint: t('compatibleHint') },
          { value: 'workers-ai', label: t('workersAi'), hint: t('workersAiHint') },
        ]}
        onChange={setProvider}
      />
      {errorOf('provider') && <p class="error">{errorOf('provider')}</p>}
      <div class="grid2">
        {isOwn && (
          <TextField
            label={t('baseUrl')}
            type="url"
            mono
            value={address}
            placeholder="https://models.example.com/v1"
            onInput={setAddress}
            error={errorOf('base_url')}
            hint={t('baseUrlHint')}
          />
        )}
        <TextField
          label={t('modelName')}
          mono
          optional={!isOwn}
          value={model}
          maxLength={200}
          onInput={setModel}
          error={errorOf('model')}
        />
        {isOwn && (
          <SecretField
            label={t('modelKey')}
            optional
            isStored={privacy.byok?.has_api_key === true}
            value={key}
            onInput={setKey}
            error={errorOf('api_key')}
            hint={t('modelKeyHint')}
          />
        )}
      </div>
      {(problem === null || problem.fields.length === 0) && <Refused of={problem} />}
      <div class="row">
        <Button
          kind="primary"
          type="submit"
          busy={busy}
          disabled={isOwn && (address.trim() === '' || model.trim() === '')}
        >
          {t('tryAndSave')}
        </Button>
        <Button onClick={onCancel}>{shell('cancel')}</Button>
        <span role="status" class="muted small">
          {busy && t('trying')}
        </span>
      </div>
    </form>
  )
}
