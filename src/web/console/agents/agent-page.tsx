import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Badge, Button, CallThisApi, Menu, Notice, Page, Problem, useToast } from '../parts'
import { navigate } from '../router'
import { useAct } from '../use-load'
import { type AgentPart, agentApi, agentPath } from './paths'
import type { Agent } from './types'
import { type AgentVerb, AgentVerbs } from './verbs'
import { useAgentWords } from './words'

interface Props {
  agent: Agent
  part: AgentPart
  /** The call that the page stands for. */
  call: { method: string; path: string; body?: unknown }
  /** There is something unsaved, which another name would lose. */
  dirty?: boolean
  onStored: (agent: Agent) => void
  children: ComponentChildren
}

/** What all screens of one agent have in common: its name, whether it is published, what can be done to it. */
export function AgentPage({ agent, part, call, dirty = false, onStored, children }: Props) {
  const t = useAgentWords()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const [verb, setVerb] = useState<AgentVerb | null>(null)
  const { name, alias, published, source } = agent
  const isOurs = source === 'tenant'
  const publish = () =>
    act(async () => {
      onStored(await api.patch<Agent>(agentApi(name), { published: true }))
      say(t('nowPublished', { name }))
    })
  const tab = (label: string, to: AgentPart) => ({
    label,
    to: agentPath(name, to),
    current: to === part,
  })
  return (
    <Page
      title={agent.display_name ?? name}
      purpose={t(PURPOSES[part])}
      crumbs={[{ label: t('agents'), to: '/agents' }]}
      tabs={[tab(t('build'), ''), tab(t('share'), 'share'), tab(t('history'), 'history')]}
      actions={
        <>
          <Badge tone={published ? 'ok' : 'quiet'}>{t(published ? 'published' : 'draft')}</Badge>
          {isOurs &&
            (published ? (
              <Button onClick={() => setVerb('unpublish')}>{t('unpublish')}</Button>
            ) : (
              <Button kind={dirty ? 'plain' : 'primary'} busy={busy} onClick={() => void publish()}>
                {t('publish')}
              </Button>
            ))}
          <CallThisApi {...call} />
          <Menu
            label={t('actionsOf', { name })}
            items={[
              {
                label: t('rename'),
                icon: 'pencil',
                disabled: dirty || !isOurs,
                act: () => setVerb('rename'),
              },
              { label: t('clone'), icon: 'copy', act: () => setVerb('clone') },
              { label: t('export'), icon: 'download', act: () => setVerb('export') },
              {
                label: t('delete'),
                icon: 'trash',
                danger: true,
                disabled: !isOurs,
                act: () => setVerb('delete'),
              },
            ]}
          />
        </>
      }
    >
      <Problem of={problem} />
      {!isOurs && <Notice tone="info">{t('systemAgent')}</Notice>}
      {children}
      {verb && (
        <AgentVerbs
          verb={verb}
          {...{ name, alias, published }}
          onClose={() => setVerb(null)}
          onGone={() => navigate('/agents', { replace: true })}
          onStored={(stored) => {
            // A copy is another agent, which has a page of its own.
            if (stored.id === agent.id) onStored(stored)
          }}
        />
      )}
    </Page>
  )
}

const PURPOSES = { '': 'buildPurpose', share: 'sharePurpose', history: 'historyPurpose' } as const
