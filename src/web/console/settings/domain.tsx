import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Badge,
  Button,
  CallThisApi,
  ConfirmDialog,
  Copy,
  Empty,
  Loadable,
  Notice,
  Problem,
  SelectField,
  TextField,
  Time,
  useToast,
} from '../parts'
import { useGuard } from '../router'
import { useAct, useLoad } from '../use-load'
import { useShell } from '../words'
import { useDomainWords } from './domain/words'
import type { AgentChoice } from './general'
import { Card, SettingsPage } from './settings-page'
import type { Domain, DomainFeature } from './types'

export { words } from './domain/words'

const PATH = '/v1/tenant/custom-domain'

export function Screen() {
  const t = useDomainWords()
  const loaded = useLoad(async (api, signal) => {
    const [feature, domain, agents] = await Promise.all([
      api.get<DomainFeature>(`${PATH}/feature`, undefined, signal),
      api.get<Domain | null>(PATH, undefined, signal),
      api.get<AgentChoice[]>('/v1/agents', undefined, signal),
    ])
    return { feature, domain, agents }
  }, [])
  return (
    <SettingsPage
      tab="domain"
      actions={<CallThisApi method="PUT" path={PATH} body={{ domain: 'chat.example.com' }} />}
    >
      <Loadable of={loaded}>
        {({ feature, domain, agents }) => {
          const onChanged = (next: Domain | null) => loaded.set({ feature, domain: next, agents })
          if (domain === null && !feature.enabled)
            return <Empty title={t('domainOff')} text={t('domainOffText')} />
          return (
            <div class="stack">
              {domain !== null && <Binding domain={domain} onChanged={onChanged} />}
              <Bind
                key={`${domain?.domain} ${domain?.agent_alias}`}
                domain={domain}
                agents={agents}
                onChanged={onChanged}
              />
            </div>
          )
        }}
      </Loadable>
    </SettingsPage>
  )
}

const STATES = {
  pending: ['info', 'domainPending', 'domainPendingText'],
  active: ['ok', 'domainActive', 'domainActiveText'],
  error: ['bad', 'domainError', 'domainErrorText'],
} as const

interface BindingProps {
  domain: Domain
  onChanged: (domain: Domain | null) => void
}

function Binding({ domain, onChanged }: BindingProps) {
  const t = useDomainWords()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const [removing, setRemoving] = useState(false)
  const { record, status, last_error, last_checked_at } = domain
  const [tone, word, text] = STATES[status]
  const check = () =>
    act(async () => {
      const checked = await api.post<Domain>(`${PATH}/check`)
      onChanged(checked)
      say(t(STATES[checked.status][1]))
    })
  return (
    <Card title={domain.domain} text={t(text)} aside={<Badge tone={tone}>{t(word)}</Badge>}>
      {last_error && (
        <Notice tone={status === 'error' ? 'bad' : 'warn'}>
          <bdi>{last_error}</bdi>
        </Notice>
      )}
      <table class="table settings-record">
        <caption>{t('recordToSet')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('recordType')}</th>
            <th scope="col">{t('recordName')}</th>
            <th scope="col">{t('recordValue')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{record.type}</th>
            <td data-label={t('recordName')}>
              <CodeWithCopy text={record.name} />
            </td>
            <td data-label={t('recordValue')}>
              <CodeWithCopy text={record.value} />
            </td>
          </tr>
        </tbody>
      </table>
      {record.type === 'TXT' && <p class="muted small">{t('apexHint')}</p>}
      <Problem of={problem} />
      <div class="row">
        <Button icon="retry" busy={busy} onClick={() => void check()}>
          {t('checkNow')}
        </Button>
        {status === 'active' && (
          <a
            class="button quiet"
            href={`https://${domain.domain}/`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {t('openDomain')}
          </a>
        )}
        <Button kind="quiet" onClick={() => setRemoving(true)}>
          {t('unbind')}
        </Button>
        <span class="muted small">
          {t('lastChecked')} <Time at={last_checked_at} />
        </span>
      </div>
      {removing && (
        <ConfirmDialog
          title={t('unbindTitle', { name: domain.domain })}
          text={t('unbindText')}
          lost={[t('lostDomain'), t('lostRecord')]}
          typed={domain.domain}
          confirm={t('unbind')}
          danger
          onConfirm={async () => {
            await api.del(PATH)
            say(t('saved'))
            onChanged(null)
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </Card>
  )
}

const CodeWithCopy = ({ text }: { text: string }) => (
  <span class="row">
    <code dir="ltr" class="settings-code">
      {text}
    </code>
    <Copy text={text} />
  </span>
)

interface BindProps {
  domain: Domain | null
  agents: readonly AgentChoice[]
  onChanged: (domain: Domain | null) => void
}

/** Binds a name, or another agent to the one that is bound. Another name starts anew, which is asked about. */
function Bind({ domain, agents, onChanged }: BindProps) {
  const t = useDomainWords()
  const shell = useShell()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const [name, setName] = useState(domain?.domain ?? '')
  const [alias, setAlias] = useState(domain?.agent_alias ?? '')
  const [asking, setAsking] = useState(false)
  useGuard(name !== (domain?.domain ?? '') || alias !== (domain?.agent_alias ?? ''))
  const isOtherName = domain !== null && name.trim().toLowerCase() !== domain.domain
  const isSame = domain !== null && !isOtherName && alias === (domain.agent_alias ?? '')
  const save = async () => {
    const body = { domain: name.trim(), agent_alias: alias || null }
    onChanged(await api.put<Domain>(PATH, body))
    say(t('saved'))
  }
  const open = agents.filter((agent) => agent.alias !== null)
  const isKnown = alias === '' || open.some((agent) => agent.alias === alias)
  const errorOf = (path: string) =>
    problem?.fields.find((field) => field.path === path)?.message ?? null
  return (
    <Card title={t(domain === null ? 'bindDomain' : 'changeDomain')} text={t('bindText')}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isOtherName) setAsking(true)
          else void act(save)
        }}
      >
        <div class="grid2">
          <TextField
            label={t('domainName')}
            mono
            value={name}
            placeholder="chat.example.com"
            onInput={setName}
            error={errorOf('domain')}
          />
          <SelectField
            label={t('domainShows')}
            value={alias}
            options={[
              { value: '', label: t('allAgents') },
              ...open.map((agent) => ({
                value: agent.alias ?? '',
                label: agent.published ? agent.name : `${agent.name} (${shell('draft')})`,
              })),
              ...(isKnown ? [] : [{ value: alias, label: alias }]),
            ]}
            onChange={setAlias}
            error={errorOf('agent_alias')}
            hint={t('domainShowsHint')}
          />
        </div>
        {problem?.fields.length === 0 && <Problem of={problem} />}
        <div>
          <Button kind="primary" type="submit" busy={busy} disabled={name.trim() === '' || isSame}>
            {shell('save')}
          </Button>
        </div>
      </form>
      {asking && domain !== null && (
        <ConfirmDialog
          title={t('otherDomainTitle')}
          text={t('otherDomainText')}
          lost={[t('lostOldDomain', { name: domain.domain })]}
          confirm={t('changeDomain')}
          danger
          onConfirm={save}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}
