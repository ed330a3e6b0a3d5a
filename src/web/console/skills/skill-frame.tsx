import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { CallThisApi, ConfirmDialog, Menu, Page, useToast } from '../parts'
import { navigate } from '../router'
import type { Fetched } from '../use-load'
import { useFormat, useShell } from '../words'
import { historyScreen, skillApi, skillScreen } from './addresses'
import { agentsWith, type Surroundings } from './surroundings'
import { useSkillWords } from './words'

interface SkillFrameProps {
  name: string
  tab: 'edit' | 'history'
  of: Fetched
  /** Null until it is known who has the skill. */
  around: Surroundings | null
  children: ComponentChildren
}

/** What the screens of one skill have in common: its name, its tabs, and how it is deleted. */
export function SkillFrame({ name, tab, of, around, children }: SkillFrameProps) {
  const t = useSkillWords()
  const shell = useShell()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <Page
      of={of}
      title={name}
      crumbs={[{ label: t('skills'), to: '/skills' }]}
      tabs={[
        { label: t('edit'), to: skillScreen(name), current: tab === 'edit' },
        { label: t('history'), to: historyScreen(name), current: tab === 'history' },
      ]}
      actions={
        <>
          <CallThisApi
            method="GET"
            path={tab === 'edit' ? skillApi(name) : `${skillApi(name)}/revisions`}
          />
          <Menu
            label={shell('actions')}
            items={[
              {
                label: shell('delete'),
                icon: 'trash',
                danger: true,
                act: () => setDeleting(true),
              },
            ]}
          />
        </>
      }
    >
      {children}
      {isDeleting && <DeleteSkill name={name} around={around} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

interface DeleteSkillProps {
  name: string
  around: Surroundings | null
  onClose: () => void
}

function DeleteSkill({ name, around, onClose }: DeleteSkillProps) {
  const t = useSkillWords()
  const shell = useShell()
  const format = useFormat()
  const api = useApi()
  const toast = useToast()
  const agents = around ? agentsWith(around, name) : []
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name })}
      text={t('deleteText')}
      lost={[
        t('lostHistory'),
        ...(agents.length > 0
          ? [t('lostAgents', { n: agents.length, names: format.list(agents) })]
          : []),
      ]}
      confirm={shell('delete')}
      danger
      onConfirm={async () => {
        await api.del(skillApi(name))
        toast(t('deleted', { name }))
        navigate('/skills', { replace: true })
      }}
      onClose={onClose}
    />
  )
}
