import { useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import {
  Badge,
  Button,
  ConfirmDialog,
  NumberField,
  RadioGroup,
  SaveBar,
  SecretField,
  SwitchField,
  TextField,
  useEditor,
  useToast,
} from '../../parts'
import { useAct } from '../../use-load'
import { useShell } from '../../words'
import { Refused } from '../refused'
import { Card } from '../settings-page'
import type { Settings, Smtp } from '../types'
import { readSmtp, withStartTls, writeSmtp } from './mail-server'
import { useSignInWords } from './words'

const PATH = '/v1/tenant/settings/smtp'

interface Props {
  smtp: Smtp | null
  onSaved: (settings: Settings) => void
}

export function SmtpCard({ smtp, onSaved }: Props) {
  const t = useSignInWords()
  const api = useApi()
  const say = useToast()
  const [clearing, setClearing] = useState(false)
  const editor = useEditor(readSmtp(smtp), async (draft) => {
    const settings = await api.put<Settings>(PATH, writeSmtp(draft))
    onSaved(settings)
    return readSmtp(settings.smtp)
  })
  const { draft, set, replace, error } = editor
  const keepsPassword = smtp?.has_password === true && draft.host.toLowerCase() === smtp.host
  return (
    <Card
      title={t('smtp')}
      text={t('smtpText')}
      aside={
        smtp === null ? (
          <Badge tone="warn">{t('notSet')}</Badge>
        ) : (
          <Badge tone="ok">{t('inUse')}</Badge>
        )
      }
    >
      <div class="grid2">
        <TextField
          label={t('smtpHost')}
          mono
          value={draft.host}
          placeholder="smtp.example.com"
          onInput={(host) => set('host', host.trim())}
          error={error('host')}
        />
        <NumberField
          label={t('smtpPort')}
          value={draft.port}
          min={1}
          max={65_535}
          step={1}
          onInput={(port) => set('port', port)}
          error={error('port')}
          hint={t('smtpPortHint')}
        />
        <TextField
          label={t('smtpUser')}
          mono
          optional
          value={draft.user}
          onInput={(user) => set('user', user)}
          error={error('user')}
        />
        <SecretField
          label={t('smtpPassword')}
          optional
          isStored={keepsPassword && !draft.no_password}
          disabled={draft.no_password}
          value={draft.password}
          onInput={(password) => set('password', password)}
          error={error('password')}
        />
        <TextField
          label={t('smtpFrom')}
          type="email"
          value={draft.from_addr}
          placeholder="hello@example.com"
          onInput={(address) => set('from_addr', address.trim())}
          error={error('from_addr')}
          hint={t('smtpFromHint')}
        />
        <RadioGroup
          label={t('encryption')}
          value={draft.starttls ? 'starttls' : 'tls'}
          options={[
            { value: 'starttls', label: 'STARTTLS', hint: t('starttlsHint') },
            { value: 'tls', label: 'TLS', hint: t('tlsHint') },
          ]}
          onChange={(kind) => replace(withStartTls(draft, kind === 'starttls'))}
        />
      </div>
      {keepsPassword && (
        <SwitchField
          label={t('noPassword')}
          checked={draft.no_password}
          onChange={(on) => replace({ ...draft, no_password: on, password: '' })}
        />
      )}
      <SaveBar editor={editor} />
      {smtp !== null && (
        <>
          <Test isDirty={editor.dirty} />
          <div>
            <Button kind="quiet" small onClick={() => setClearing(true)}>
              {t('smtpRemove')}
            </Button>
          </div>
        </>
      )}
      {clearing && (
        <ConfirmDialog
          title={t('smtpRemove')}
          text={t('smtpRemoveText')}
          lost={[t('lostMails'), t('lostMailPassword')]}
          confirm={t('smtpRemove')}
          danger
          onConfirm={async () => {
            const settings = await api.put<Settings>(PATH, { host: '' })
            replace(readSmtp(null))
            onSaved(settings)
            say(t('saved'))
          }}
          onClose={() => setClearing(false)}
        />
      )}
    </Card>
  )
}

function Test({ isDirty }: { isDirty: boolean }) {
  const t = useSignInWords()
  const shell = useShell()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const [to, setTo] = useState('')
  const send = () =>
    act(async () => {
      await api.post('/v1/tenant/settings/smtp/test', undefined, { query: { to: to.trim() } })
      say(t('testSent', { to: to.trim() }))
    })
  const field = problem?.fields[0]?.message
  return (
    <form
      class="stack settings-test"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <div class="row settings-inline">
        <TextField
          label={t('testTo')}
          type="email"
          value={to}
          onInput={setTo}
          error={field}
          hint={isDirty ? t('testUnsaved') : undefined}
        />
        <Button type="submit" busy={busy} disabled={to.trim() === ''}>
          {t('sendTest')}
        </Button>
      </div>
      {field === undefined && <Refused of={problem} />}
      {busy && <span class="sr">{shell('loading')}</span>}
    </form>
  )
}
