import { agentPath } from '../agents/paths'
import { navigate, usePlace } from '../router'
import { useLoad } from '../use-load'
import { useShell } from '../words'

/** From one agent to another, keeping what is looked at. */
export function AgentSwitcher() {
  const t = useShell()
  const { path } = usePlace()
  const [, area, current = '', view] = path.split('/')
  const names = useLoad(
    async (api, signal) =>
      (await api.get<{ name: string }[]>('/v1/agents', {}, signal)).map(({ name }) => name),
    [area === 'agents' && current],
  )
  if (names.data === null || names.data.length === 0) return null
  const chosen = area === 'agents' ? safeDecode(current) : ''
  return (
    <label class="agent-switcher">
      <span class="sr">{t('agentSwitcher')}</span>
      <select
        value={names.data.includes(chosen) ? chosen : ''}
        onChange={(event) => {
          const name = event.currentTarget.value
          const part = view === 'share' || view === 'history' ? view : ''
          if (name !== '') navigate(agentPath(name, part))
        }}
      >
        <option value="">{t('agentSwitcher')}</option>
        {names.data.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
