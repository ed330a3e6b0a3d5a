import { useState } from 'preact/hooks'
import { agentPath } from '../agents/paths'
import { matchPath } from '../match-path'
import { Icon } from '../parts'
import { navigate, usePlace } from '../router'
import { useLoad } from '../use-load'
import { useShell } from '../words'
import { type Named, rankTargets, target } from './find'
import { Finder } from './finder'

/** Which agent the address leads to, and which view of it; null where it leads to none. */
function agentOf(path: string): { name: string; view: string } | null {
  const found = matchPath('/agents/{name}', path) ?? matchPath('/agents/{name}/{view}', path)
  const { name = 'new', view = '' } = found ?? {}
  return name === 'new' ? null : { name, view }
}

/** Shows whose screen it is, and leads to another agent's. */
export function AgentSwitcher({ onOpen }: { onOpen: () => void }) {
  const t = useShell()
  const { path } = usePlace()
  const name = agentOf(path)?.name
  return (
    <button
      type="button"
      class="find agent-switcher"
      aria-haspopup="dialog"
      aria-label={name === undefined ? undefined : `${t('agentSwitcher')}: ${name}`}
      onClick={onOpen}
    >
      {name === undefined ? <span>{t('agentSwitcher')}</span> : <bdi>{name}</bdi>}
      <Icon name="chevron" />
    </button>
  )
}

/** From one agent to another, keeping what is looked at. */
export function AgentFinder({ onClose }: { onClose: () => void }) {
  const t = useShell()
  const { path } = usePlace()
  const [typed, setTyped] = useState('')
  const view = agentOf(path)?.view
  const part = view === 'share' || view === 'history' ? view : ''
  const agents = useLoad((api, signal) => api.get<Named[]>('/v1/agents', {}, signal), [])
  const targets = (agents.data ?? []).map(({ name }) =>
    target('agent', 'agents', name, agentPath(name, part)),
  )
  return (
    <Finder
      isOneKind
      title={t('agentSwitcher')}
      hint={t('name')}
      typed={typed}
      onType={setTyped}
      found={agents.data && rankTargets(targets, typed, targets.length)}
      problem={agents.problem}
      onChoose={({ to }) => {
        onClose()
        navigate(to)
      }}
      onClose={onClose}
    />
  )
}
