import { useMemo, useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Badge,
  Button,
  CallThisApi,
  ListView,
  Notice,
  Page,
  Problem,
  SelectField,
  useTold,
} from '../parts'
import { to, useQuery } from '../router'
import { useAct, useList, useLoad } from '../use-load'
import { useFormat, useShell } from '../words'
import { DeleteDialog } from './list/delete-dialog'
import { ImportDialog } from './list/import-dialog'
import { NewDialog } from './list/new-dialog'
import { RowActions } from './list/row-actions'
import { Seen } from './list/seen'
import { stateKey, useFacts } from './list/use-facts'
import { useListWords } from './list/words'
import { movedPositions } from './model/order'
import { STATE_TONES, STATE_WORDS } from './status'
import type { Feature, Storyline } from './types'

export { words } from './list/words'

type Asking = 'new' | 'import' | { gone: Storyline } | null

export function Screen() {
  const t = useListWords()
  const shell = useShell()
  const format = useFormat()
  const api = useApi()
  const [query, setQuery] = useQuery()
  const agent = query.get('agent') ?? ''
  const list = useList<Storyline>('/v1/storylines', { agent })
  const agents = useLoad((calls) => calls.get<{ name: string }[]>('/v1/agents'), [])
  const feature = useLoad((calls) => calls.get<Feature>('/v1/storylines/feature'), [])
  const [asking, setAsking] = useState<Asking>(null)
  const { problem, act } = useAct()
  useTold(problem)
  const items = list.items ?? []
  const { facts, see } = useFacts()
  const names = useMemo(
    () =>
      [
        ...new Set([
          ...(agents.data ?? []).map(({ name }) => name),
          ...items.map((one) => one.agent_name),
          ...(agent === '' ? [] : [agent]),
        ]),
      ].toSorted(),
    [agents.data, items, agent],
  )
  const put = (one: Storyline, changes: object) =>
    api.put(to`/v1/storylines/${one.id}`, { agent_name: one.agent_name, key: one.key, ...changes })
  const move = (one: Storyline, by: 1 | -1) =>
    void act(async () => {
      for (const { storyline, position } of movedPositions(items, one, by))
        await put(storyline, { position })
      list.reload()
    })
  const enabled = feature.data?.enabled !== false
  return (
    <Page
      title={t('storylines')}
      purpose={t('purpose')}
      actions={
        <>
          <CallThisApi method="GET" path={`/v1/storylines${agent ? `?agent=${agent}` : ''}`} />
          <Button onClick={() => setAsking('import')} disabled={!enabled}>
            {t('import')}
          </Button>
          <Button kind="primary" icon="plus" onClick={() => setAsking('new')} disabled={!enabled}>
            {t('newStoryline')}
          </Button>
        </>
      }
    >
      {!enabled && <Notice tone="info">{t('notEnabled')}</Notice>}
      <div class="row story-filters">
        <SelectField
          label={t('agent')}
          value={agent}
          options={[
            { value: '', label: t('allAgents') },
            ...names.map((value) => ({ value, label: value })),
          ]}
          onChange={(next) => setQuery({ agent: next })}
        />
      </div>
      <Problem of={problem} />
      <ListView
        list={list}
        caption={t('storylines')}
        keyOf={(one) => one.id}
        to={(one) => to`/storylines/${one.id}`}
        columns={[
          {
            key: 'name',
            label: shell('name'),
            primary: true,
            cell: (one) => <bdi>{one.name || one.key}</bdi>,
          },
          {
            key: 'agent',
            label: t('agent'),
            cell: (one) => (
              <span>
                <bdi>{one.agent_name}</bdi>
                {one.is_default && <span class="story-tag">{t('default')}</span>}
              </span>
            ),
          },
          {
            key: 'status',
            label: shell('status'),
            cell: (one) => (
              <span class="row">
                <Badge tone={STATE_TONES[one.status]}>{t(STATE_WORDS[one.status])}</Badge>
                {facts.get(one.id)?.unpublished && (
                  <Badge tone="warn">{t('unpublishedChanges')}</Badge>
                )}
              </span>
            ),
          },
          {
            key: 'active',
            label: t('statusActive'),
            numeric: true,
            cell: (one) => (
              <Seen of={stateKey(one)} onSeen={() => see(one)}>
                {counted(facts.get(one.id)?.active)}
              </Seen>
            ),
          },
          {
            key: 'completed',
            label: t('statusCompleted'),
            numeric: true,
            cell: (one) => counted(facts.get(one.id)?.completed),
          },
          {
            key: 'actions',
            label: shell('actions'),
            quiet: true,
            cell: (one) => (
              <RowActions
                storyline={one}
                siblings={items.filter((other) => other.agent_name === one.agent_name)}
                onMove={(by) => move(one, by)}
                onDefault={() =>
                  void act(async () => {
                    await put(one, { is_default: !one.is_default })
                    list.reload()
                  })
                }
                onChanged={list.reload}
                onDelete={() => setAsking({ gone: one })}
              />
            ),
          },
        ]}
        empty={{
          title: t('emptyTitle'),
          text: t('emptyText'),
          action: (
            <Button kind="primary" icon="plus" onClick={() => setAsking('new')} disabled={!enabled}>
              {t('newStoryline')}
            </Button>
          ),
        }}
      />
      {asking === 'new' && (
        <NewDialog agents={names} agent={agent} onClose={() => setAsking(null)} />
      )}
      {asking === 'import' && (
        <ImportDialog agents={names} agent={agent} onClose={() => setAsking(null)} />
      )}
      {typeof asking === 'object' && asking !== null && (
        <DeleteDialog
          storyline={asking.gone}
          active={facts.get(asking.gone.id)?.active ?? 0}
          onClose={() => setAsking(null)}
          onDeleted={list.reload}
        />
      )}
    </Page>
  )

  function counted(n: number | undefined) {
    return n === undefined ? '…' : format.number(n)
  }
}
