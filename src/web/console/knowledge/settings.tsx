import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Button,
  ConfirmDialog,
  Fields,
  KeyValues,
  Loadable,
  SaveBar,
  Time,
  useSharedEditor,
  useToast,
} from '../parts'
import { Link, navigate } from '../router'
import type { ScreenProps } from '../screens'
import { skillScreen } from '../skills/addresses'
import { AgentsWith } from '../skills/agents-with'
import { useLoad } from '../use-load'
import { useFormat, useShell } from '../words'
import { baseApi, screens } from './addresses'
import { type Base, type BaseFields as BaseFieldValues, fieldsOf } from './base'
import { BaseFields } from './base-fields'
import { BaseFrame } from './base-frame'
import { findHolders, type Holders } from './holders'
import { type KnowledgeKey, useKnowledgeWords } from './words'

export { words } from './words'

/** What the form calls a field. */
const LABELS = {
  name: 'baseName',
  instructions: 'instructions',
  refresh: 'refresh',
  rerank: 'rerank',
  downloads: 'downloads',
} as const satisfies Record<keyof BaseFieldValues, KnowledgeKey>

interface Shown {
  base: Base
  holders: Holders
}

interface SettingsProps extends Shown {
  name: string
  /** Other agents have it now. */
  onGiven: () => void
}

/** What a base is called and how it behaves; and its end. */
export function Screen({ params }: ScreenProps) {
  const name = params.name ?? ''
  const loaded = useLoad<Shown>(
    async (api, signal) => {
      const [base, holders] = await Promise.all([
        api.get<Base>(baseApi(name), {}, signal),
        findHolders(api, name, signal),
      ])
      return { base, holders }
    },
    [name],
  )
  return (
    <BaseFrame name={name} tab="settings" of={loaded}>
      <Loadable of={loaded}>
        {(shown) => <Settings key={name} name={name} {...shown} onGiven={loaded.reload} />}
      </Loadable>
    </BaseFrame>
  )
}

function Settings({ name, base, holders, onGiven }: SettingsProps) {
  const t = useKnowledgeWords()
  const format = useFormat()
  const api = useApi()
  const [isDeleting, setDeleting] = useState(false)
  const { editor, conflict } = useSharedEditor(fieldsOf(base), {
    read: async () => fieldsOf(await api.get<Base>(baseApi(name))),
    write: async (changed) => {
      const saved = fieldsOf(await api.patch<Base>(baseApi(name), changed))
      // The address of this screen has the name in it.
      if (saved.name !== name) navigate(screens.settings(saved.name), { replace: true })
      return saved
    },
    labelOf: (field) => (field in LABELS ? t(LABELS[field as keyof typeof LABELS]) : null),
  })
  return (
    <div class="sections measure">
      <Fields>
        <BaseFields
          draft={editor.draft}
          set={editor.set}
          error={editor.error}
          nameHint={t('renameHint')}
        />
      </Fields>
      {conflict}
      <SaveBar editor={editor} />
      <AgentsWith
        list="knowledge_bases"
        name={name}
        agents={holders.all}
        words={{
          title: t('agentsWith'),
          hint: t('agentsWithHint'),
          nobody: t('noAgentHasIt'),
          choose: t('chooseAgents'),
          noAgents: t('noAgents'),
          saved: t('agentsSaved'),
        }}
        onChanged={onGiven}
      />
      <section class="stack" aria-labelledby="facts">
        <h2 id="facts">{t('facts')}</h2>
        <KeyValues
          rows={[
            [t('skillsWith'), <UsedBy skills={holders.skills} />],
            [t('documents'), format.number(base.document_count)],
            [t('passages'), format.number(base.chunk_count)],
            [t('embeddingModel'), <code dir="ltr">{base.embedding_model}</code>],
            [t('made'), <Time at={base.created_at} />],
          ]}
        />
      </section>
      <section class="stack danger-zone" aria-labelledby="end">
        <h2 id="end">{t('deleteBase')}</h2>
        <p class="muted">{t('deleteBaseHint')}</p>
        <div>
          <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
            {t('deleteBase')}
          </Button>
        </div>
      </section>
      {isDeleting && (
        <DeleteBase base={base} holders={holders} onClose={() => setDeleting(false)} />
      )}
    </div>
  )
}

function UsedBy({ skills }: { skills: readonly string[] }) {
  const t = useKnowledgeWords()
  if (skills.length === 0) return <>{t('nobody')}</>
  return (
    <ul class="row holders">
      {skills.map((name) => (
        <li key={name}>
          <Link to={skillScreen(name)}>
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}

interface DeleteBaseProps extends Shown {
  onClose: () => void
}

function DeleteBase({ base, holders, onClose }: DeleteBaseProps) {
  const t = useKnowledgeWords()
  const shell = useShell()
  const format = useFormat()
  const api = useApi()
  const say = useToast()
  const lost = [
    t('lostDocuments', { n: base.document_count }),
    t('lostPassages', { n: base.chunk_count }),
    ...(['agents', 'skills'] as const)
      .filter((kind) => holders[kind].length > 0)
      .map((kind) =>
        t(kind === 'agents' ? 'lostAgents' : 'lostSkills', { names: format.list(holders[kind]) }),
      ),
  ]
  return (
    <ConfirmDialog
      title={t('deleteBaseTitle', { name: base.name })}
      text={t('deleteText')}
      lost={lost}
      typed={base.name}
      confirm={shell('delete')}
      danger
      onConfirm={async () => {
        await api.del(baseApi(base.name))
        say(t('baseDeleted', { name: base.name }))
        navigate('/knowledge', { replace: true })
      }}
      onClose={onClose}
    />
  )
}
