import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Actor, Button, ConfirmDialog, Diff, Empty, Segmented, Time, useToast } from '../parts'
import { useQuery } from '../router'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { useFormat } from '../words'
import { AgentLoading } from './agent-loading'
import { AgentPage } from './agent-page'
import { useFieldLabel } from './build/field-label'
import { agentApi } from './paths'
import type { Agent, Revision } from './types'
import { useAgentWords } from './words'

export { words } from './build/words'

/** Earlier states of an agent: what each change did, and the way back. */
export function Screen({ params }: ScreenProps) {
  const { name = '' } = params
  const loaded = useLoad(
    async (api, signal) => {
      const [agent, revisions] = await Promise.all([
        api.get<Agent>(agentApi(name), {}, signal),
        api.get<Revision[]>(`${agentApi(name)}/revisions`, {}, signal),
      ])
      return { agent, revisions }
    },
    [name],
  )
  return (
    <AgentLoading name={name} of={loaded}>
      {({ agent, revisions }) => (
        <AgentPage
          key={agent.id}
          agent={agent}
          part="history"
          call={{ method: 'GET', path: `${agentApi(name)}/revisions` }}
          onStored={loaded.reload}
        >
          <Revisions {...{ agent, revisions }} onRestored={loaded.reload} />
        </AgentPage>
      )}
    </AgentLoading>
  )
}

interface Props {
  agent: Agent
  revisions: readonly Revision[]
  onRestored: () => void
}

function Revisions({ agent, revisions, onRestored }: Props) {
  const t = useAgentWords()
  const format = useFormat()
  const [query, setQuery] = useQuery()
  const at = Math.max(
    0,
    revisions.findIndex(({ id }) => id === query.get('revision')),
  )
  const against = query.get('against') === 'now' ? 'now' : 'before'
  const labelOf = useFieldLabel()
  const shown = revisions[at]
  if (shown === undefined) return <Empty title={t('noRevisions')} />
  const before = revisions[at + 1]
  return (
    <div class="revisions">
      <ol class="revision-list" aria-label={t('revisions')}>
        {revisions.map((revision, place) => (
          <li key={revision.id}>
            <button
              type="button"
              class="revision"
              aria-current={place === at ? 'true' : undefined}
              onClick={() => setQuery({ revision: place === 0 ? null : revision.id })}
            >
              <span>
                <Time at={revision.created_at} />
                {place === 0 && <span class="muted"> · {t('revisionNow')}</span>}
              </span>
              <span class="muted small">
                {revision.actor === null ? t('nobody') : <Actor of={revision.actor} />}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <section class="card stack" aria-labelledby="revision-title">
        <div class="row revision-head">
          <h2 id="revision-title">{format.time(shown.created_at)}</h2>
          {at > 0 && (
            <Restore
              {...{ agent, revision: shown, when: format.time(shown.created_at) }}
              onRestored={onRestored}
            />
          )}
        </div>
        {at > 0 && (
          <Segmented
            label={t('compare')}
            value={against}
            options={[
              { value: 'before', label: t('againstBefore') },
              { value: 'now', label: t('againstNow') },
            ]}
            onChange={(next) => setQuery({ against: next === 'before' ? null : next })}
          />
        )}
        {at > 0 && against === 'now' ? (
          <Diff before={shown.snapshot} after={revisions[0]?.snapshot} labelOf={labelOf} />
        ) : before === undefined ? (
          <>
            <p class="muted">{t(revisions.length === 100 ? 'oldestKept' : 'firstState')}</p>
            <Diff before={{}} after={filled(shown.snapshot)} labelOf={labelOf} />
          </>
        ) : (
          <Diff before={before.snapshot} after={shown.snapshot} labelOf={labelOf} />
        )}
      </section>
    </div>
  )
}

/** What a state says, without what it leaves empty. */
const filled = (snapshot: Revision['snapshot']) =>
  Object.fromEntries(
    Object.entries(snapshot).filter(
      ([, value]) =>
        value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )

interface RestoreProps {
  agent: Agent
  revision: Revision
  when: string
  onRestored: () => void
}

function Restore({ agent, revision, when, onRestored }: RestoreProps) {
  const t = useAgentWords()
  const api = useApi()
  const say = useToast()
  const [, setQuery] = useQuery()
  const [asks, setAsks] = useState(false)
  const { alias, published } = revision.snapshot
  return (
    <>
      <Button icon="undo" disabled={agent.source === 'system'} onClick={() => setAsks(true)}>
        {t('restore')}
      </Button>
      {asks && (
        <ConfirmDialog
          title={t('restoreTitle', { when })}
          text={t('restoreText')}
          lost={[
            ...(published === true && !agent.published ? [t('restorePublishes')] : []),
            ...(published !== true && agent.published ? [t('restoreUnpublishes')] : []),
            ...(alias === agent.alias
              ? []
              : [t('restoreAlias', { alias: typeof alias === 'string' ? alias : '—' })]),
          ]}
          confirm={t('restore')}
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            await api.post<Agent>(`${agentApi(agent.name)}/revisions/${revision.id}/restore`)
            say(t('restored'))
            setQuery({ revision: null, against: null })
            onRestored()
          }}
        />
      )}
    </>
  )
}
