import { useState } from 'preact/hooks'
import { agentPath } from '../agents/paths'
import { useApi } from '../api/call'
import { Button, ConfirmDialog, Loadable, Problem, SelectField, useToast } from '../parts'
import { Link, to } from '../router'
import { useAct, useLoad } from '../use-load'
import { usePeople } from '../users/words'
import { useShell } from '../words'

interface SpaceAgentsProps {
  path: string
  isDefault: boolean
}

/** Which agents a space offers its user; the default space offers all that are published. */
export function SpaceAgents({ path, isDefault }: SpaceAgentsProps) {
  const t = usePeople()
  const shell = useShell()
  const api = useApi()
  const toast = useToast()
  const adding = useAct()
  const [chosen, setChosen] = useState('')
  const [removed, setRemoved] = useState<string | null>(null)
  const offered = useLoad<string[]>(
    (calls, signal) => calls.get(`${path}/agents`, {}, signal),
    [path],
  )
  const known = useLoad<{ name: string }[]>(
    (calls, signal) => calls.get('/v1/agents', {}, signal),
    [],
  )
  const free = (known.data ?? [])
    .map(({ name }) => name)
    .filter((name) => offered.data?.includes(name) === false)
  const next = free.includes(chosen) ? chosen : (free[0] ?? '')
  const add = () =>
    adding.act(async () => {
      offered.set(await api.post<string[]>(`${path}/agents`, { name: next }))
      toast(t('agentAdded'))
    })
  const remove = async (name: string) => {
    await api.del(`${path}${to`/agents/${name}`}`)
    offered.set((offered.data ?? []).filter((one) => one !== name))
    toast(t('agentRemoved'))
  }
  return (
    <section class="card stack">
      <h2>{t('agents')}</h2>
      {isDefault && <p class="small muted">{t('defaultAgents')}</p>}
      <Loadable of={offered}>
        {(names) =>
          names.length === 0 ? (
            <p class="muted">{t('noAgents')}</p>
          ) : (
            <ul class="bare-list">
              {names.map((name) => (
                <li key={name} class="row spread">
                  <Link to={agentPath(name)}>
                    <bdi>{name}</bdi>
                  </Link>
                  {!isDefault && (
                    <Button
                      small
                      kind="quiet"
                      label={`${shell('remove')}: ${name}`}
                      onClick={() => setRemoved(name)}
                    >
                      {shell('remove')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loadable>
      {!isDefault && free.length > 0 && (
        <div class="row field-row">
          <SelectField
            label={t('addAgent')}
            value={next}
            options={free.map((name) => ({ value: name, label: name }))}
            onChange={setChosen}
          />
          <Button icon="plus" busy={adding.busy} onClick={() => void add()}>
            {shell('add')}
          </Button>
        </div>
      )}
      <Problem of={adding.problem ?? known.problem} />
      {removed !== null && (
        <ConfirmDialog
          title={t('removeAgentTitle', { name: removed })}
          text={t('removeAgentText')}
          confirm={shell('remove')}
          onConfirm={() => remove(removed)}
          onClose={() => setRemoved(null)}
        />
      )}
    </section>
  )
}
