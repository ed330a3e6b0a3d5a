import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Badge,
  type Column,
  LinkButton,
  ListView,
  Menu,
  Page,
  Problem,
  SearchField,
  Segmented,
  SwitchField,
  useToast,
  useTold,
} from '../parts'
import { navigate, useQuery } from '../router'
import { useAct, useList } from '../use-load'
import { useFormat } from '../words'
import { agentApi, agentPath } from './paths'
import type { AgentRow } from './types'
import { type AgentVerb, AgentVerbs } from './verbs'
import { useAgentWords } from './words'

export { words } from './words'

const SHOWN = ['all', 'published', 'draft'] as const
type Shown = (typeof SHOWN)[number]

/** Every agent of the tenant. */
export function Screen() {
  const t = useAgentWords()
  const [query, setQuery] = useQuery()
  const shown: Shown = SHOWN.find((one) => one === query.get('shown')) ?? 'all'
  const search = query.get('q') ?? ''
  const list = useList<AgentRow>('/v1/agents', {
    published: shown === 'all' ? null : shown === 'published',
  })
  const [verb, setVerb] = useState<{ verb: AgentVerb; row: AgentRow } | null>(null)
  const publishing = usePublish(list.items, list.set)

  const wanted = search.trim().toLowerCase()
  const items =
    list.items?.filter(
      (row) =>
        wanted === '' ||
        `${row.name}\n${row.alias ?? ''}\n${row.task}`.toLowerCase().includes(wanted),
    ) ?? null
  const isFiltered = wanted !== '' || shown !== 'all'
  return (
    <Page
      title={t('agents')}
      purpose={t('agentsPurpose')}
      actions={
        <LinkButton kind="primary" icon="plus" to="/agents/new">
          {t('newAgent')}
        </LinkButton>
      }
    >
      <div class="row agents-filter">
        <SearchField label={t('searchAgents')} value={search} onInput={(q) => setQuery({ q })} />
        <Segmented
          label={t('show')}
          value={shown}
          options={[
            { value: 'all', label: t('all') },
            { value: 'published', label: t('publishedMany') },
            { value: 'draft', label: t('drafts') },
          ]}
          onChange={(next) => setQuery({ shown: next === 'all' ? null : next })}
        />
      </div>
      <Problem of={publishing.problem} />
      <ListView
        list={{ ...list, items }}
        caption={t('agents')}
        keyOf={(row) => row.id}
        to={(row) => agentPath(row.name)}
        columns={useColumns((row) => void publishing.publish(row), setVerb)}
        empty={
          isFiltered
            ? { title: t('noneFound'), text: t('noneFoundText') }
            : {
                title: t('noAgents'),
                text: t('noAgentsText'),
                action: (
                  <LinkButton kind="primary" to="/agents/new">
                    {t('newAgent')}
                  </LinkButton>
                ),
              }
        }
      />
      {verb && (
        <AgentVerbs
          verb={verb.verb}
          name={verb.row.name}
          alias={verb.row.alias}
          published={verb.row.published}
          onClose={() => setVerb(null)}
          onGone={list.reload}
          onStored={list.reload}
        />
      )}
    </Page>
  )
}

function useColumns(
  publish: (row: AgentRow) => void,
  begin: (what: { verb: AgentVerb; row: AgentRow }) => void,
): Column<AgentRow>[] {
  const t = useAgentWords()
  const { number } = useFormat()
  return [
    {
      key: 'name',
      label: t('name'),
      primary: true,
      cell: ({ name, source }) => (
        <>
          <bdi>{name}</bdi>
          {source === 'system' && (
            <>
              {' '}
              <Badge tone="info">{t('system')}</Badge>
            </>
          )}
        </>
      ),
    },
    {
      key: 'alias',
      label: t('alias'),
      cell: ({ alias }) =>
        alias === null ? <span class="muted">{t('noAlias')}</span> : <code dir="ltr">{alias}</code>,
    },
    {
      key: 'published',
      label: t('published'),
      cell: (row) => (
        <SwitchField
          bare
          label={t('publishNamed', { name: row.name })}
          checked={row.published}
          disabled={row.source === 'system'}
          onChange={(on) => (on ? publish(row) : begin({ verb: 'unpublish', row }))}
        />
      ),
    },
    {
      key: 'model',
      label: t('model'),
      cell: ({ model }) =>
        model === null ? (
          <span class="muted">{t('usualModel')}</span>
        ) : (
          <code dir="ltr" class="small">
            {model}
          </code>
        ),
    },
    { key: 'tools', label: t('tools'), numeric: true, cell: (row) => number(row.tools_count) },
    { key: 'skills', label: t('skills'), numeric: true, cell: (row) => number(row.skills_count) },
    {
      key: 'bases',
      label: t('bases'),
      numeric: true,
      cell: (row) => number(row.knowledge_bases.length),
    },
    {
      key: 'actions',
      label: t('actions'),
      quiet: true,
      cell: (row) => (
        <Menu
          label={t('actionsOf', { name: row.name })}
          items={[
            { label: t('share'), icon: 'link', act: () => navigate(agentPath(row.name, 'share')) },
            { label: t('clone'), icon: 'copy', act: () => begin({ verb: 'clone', row }) },
            { label: t('export'), icon: 'download', act: () => begin({ verb: 'export', row }) },
            {
              label: t('delete'),
              icon: 'trash',
              danger: true,
              disabled: row.source === 'system',
              act: () => begin({ verb: 'delete', row }),
            },
          ]}
        />
      ),
    },
  ]
}

/** Publishing takes nothing from anybody, so it is done at once. */
function usePublish(items: readonly AgentRow[] | null, set: (items: readonly AgentRow[]) => void) {
  const t = useAgentWords()
  const api = useApi()
  const say = useToast()
  const { act, problem } = useAct()
  useTold(problem)
  const publish = async (row: AgentRow) => {
    // The switch is where it was put, and goes back where that could not be done.
    const show = (published: boolean) =>
      set((items ?? []).map((one) => (one.id === row.id ? { ...one, published } : one)))
    show(true)
    const isDone = await act(async () => {
      await api.patch(agentApi(row.name), { published: true })
      say(t('nowPublished', { name: row.name }))
    })
    if (!isDone) show(false)
  }
  return { publish, problem }
}
