import { useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import { Button, CheckList, Dialog, Problem, TextField } from '../../parts'
import { useAct } from '../../use-load'
import { useShell } from '../../words'
import { ShownOnce } from '../shown-once'
import { EVENTS } from './webhook-events'
import { useWebhookWords, type WebhookKey } from './words'

interface Props {
  onCreated: () => void
  onClose: () => void
}

const ALL = Object.keys(EVENTS)

export function NewWebhook({ onCreated, onClose }: Props) {
  const t = useWebhookWords()
  const shell = useShell()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [events, setEvents] = useState<string[]>(ALL)
  const [secret, setSecret] = useState<string | null>(null)
  const create = () =>
    act(async () => {
      const body = { url: url.trim(), events, description: description.trim() || null }
      const made = await api.post<{ secret: string }>('/v1/tenant/webhooks', body)
      setSecret(made.secret)
      onCreated()
    })
  if (secret !== null)
    return (
      <ShownOnce
        title={t('webhookMade')}
        text={t('webhookOnce')}
        secret={secret}
        onClose={onClose}
      />
    )
  const errorOf = (path: string) =>
    problem?.fields.find((field) => field.path.startsWith(path))?.message
  return (
    <Dialog
      title={t('newWebhook')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button
            kind="primary"
            busy={busy}
            disabled={url.trim() === '' || events.length === 0}
            onClick={() => void create()}
          >
            {shell('create')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('webhookUrl')}
        type="url"
        mono
        value={url}
        placeholder="https://example.com/hook"
        onInput={setUrl}
        error={errorOf('url')}
        hint={t('webhookUrlHint')}
      />
      <TextField
        label={shell('description')}
        optional
        value={description}
        maxLength={200}
        onInput={setDescription}
        error={errorOf('description')}
      />
      <CheckList
        label={t('events')}
        options={Object.entries<WebhookKey>(EVENTS).map(([value, word]) => ({
          value,
          label: t(word),
          hint: value,
        }))}
        value={events}
        onChange={setEvents}
        error={errorOf('events')}
      />
      {(problem === null || problem.fields.length === 0) && <Problem of={problem} />}
    </Dialog>
  )
}
