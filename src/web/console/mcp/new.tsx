import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Button,
  CallThisApi,
  Fields,
  Page,
  Problem,
  RadioGroup,
  SwitchField,
  useRefusedField,
} from '../parts'
import { fieldError, unlessShown } from '../parts/field-error'
import { navigate, useGuard } from '../router'
import { useAct } from '../use-load'
import { SERVERS, serverScreen } from './addresses'
import { type Connection, ConnectionFields } from './connection-fields'
import { HeaderFields } from './header-fields'
import { type HeaderRow, headerChanges, isHalf } from './headers'
import type { Server } from './server'
import { useMcpWords } from './words'

export { words } from './words'

const NEW: Connection = { name: '', transport: 'streamable_http', url: '' }

/** Adds a server by its address. */
export function Screen() {
  const t = useMcpWords()
  return (
    <Page
      title={t('addServer')}
      purpose={t('addPurpose')}
      crumbs={[{ label: t('servers'), to: '/mcp' }]}
      actions={
        <CallThisApi
          method="POST"
          path={SERVERS}
          body={{
            name: 'tools',
            transport: 'streamable_http',
            config: {
              url: 'https://tools.example.com/mcp',
              headers: { Authorization: 'Bearer …' },
            },
          }}
        />
      }
    >
      <Form />
    </Page>
  )
}

function Form() {
  const t = useMcpWords()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [draft, setDraft] = useState(NEW)
  const [headers, setHeaders] = useState<HeaderRow[]>([])
  const [enabled, setEnabled] = useState(true)
  const [confirm, setConfirm] = useState<'none' | 'all'>('none')
  useGuard(draft !== NEW || headers.length > 0)
  useRefusedField(problem)
  const error = (path: string) => fieldError(problem, path)
  const isReady = draft.name.trim() !== '' && draft.url.trim() !== '' && !headers.some(isHalf)
  const add = () =>
    act(async () => {
      const { id } = await api.post<Server>(SERVERS, {
        name: draft.name.trim(),
        transport: draft.transport,
        enabled,
        confirm: confirm === 'all' ? 'all' : [],
        config: { url: draft.url.trim(), headers: headerChanges(headers) },
      })
      navigate(serverScreen(id), { replace: true })
    })
  return (
    <form
      class="sections measure"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) void add()
      }}
    >
      <Fields>
        <ConnectionFields
          draft={draft}
          error={error}
          set={(key, value) => setDraft((was) => ({ ...was, [key]: value }))}
        />
      </Fields>
      <HeaderFields
        headers={headers}
        onChange={setHeaders}
        error={(name) => error(`config.headers.${name}`)}
        problem={problem?.fields.find(({ path }) => path === 'config.headers')?.message ?? null}
      />
      <RadioGroup
        label={t('confirm')}
        value={confirm}
        options={[
          { value: 'none', label: t('confirmNone'), hint: t('confirmNoneHint') },
          { value: 'all', label: t('confirmAll'), hint: t('confirmLater') },
        ]}
        onChange={setConfirm}
      />
      <SwitchField
        label={t('enabled')}
        hint={t('enabledHint')}
        checked={enabled}
        onChange={setEnabled}
      />
      <Problem of={unlessShown(problem, ['name', 'config.url', 'config.headers', 'transport'])} />
      <div class="row">
        <Button kind="primary" type="submit" busy={busy} disabled={!isReady}>
          {t('add')}
        </Button>
      </div>
    </form>
  )
}
