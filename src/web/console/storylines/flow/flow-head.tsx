import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import {
  Badge,
  Button,
  CallThisApi,
  ConfirmDialog,
  Conflict,
  Icon,
  Menu,
  Page,
  Problem,
  useToast,
} from '../../parts'
import { to } from '../../router'
import { useFormat, useShell } from '../../words'
import { draftOf, frozenPart } from '../model/draft'
import { STATE_TONES, STATE_WORDS } from '../status'
import { useTabs } from '../tabs'
import type { Storyline } from '../types'
import { useUnpublished } from '../use-unpublished'
import { useEditing } from './context'
import { PublishDialog } from './panels/publish-dialog'
import { useFlowWords } from './words'

/** The page around the editor: state, publishing, and what somebody else changed meanwhile. */
export function FlowHead({ children }: { children: ComponentChildren }) {
  const t = useFlowWords()
  const { flow } = useEditing()
  const { saved, draft } = flow
  const tabs = useTabs(saved.id, 'flow')
  const [asking, setAsking] = useState<'publish' | 'unpublish' | null>(null)
  const api = useApi()
  const toast = useToast()
  const pending = useUnpublished(saved)
  return (
    <Page
      title={draft.name || draft.key}
      crumbs={[{ label: t('storylines'), to: to`/storylines?agent=${saved.agent_name}` }]}
      tabs={tabs}
      actions={
        <>
          <SaveState />
          <Badge tone={STATE_TONES[saved.status]}>{t(STATE_WORDS[saved.status])}</Badge>
          {pending && <Badge tone="warn">{t('unpublishedChanges')}</Badge>}
          <CallThisApi
            method="PUT"
            path={to`/v1/storylines/${saved.id}`}
            body={{ ...draft, expected_version: saved.version }}
          />
          <Button kind="primary" onClick={() => setAsking('publish')}>
            {t('publish')}
          </Button>
          <Menu
            label={t('moreActions')}
            items={[
              {
                label: t('unpublish'),
                icon: 'stop',
                disabled: saved.status !== 'published',
                act: () => setAsking('unpublish'),
              },
              { label: t('saveNow'), icon: 'check', act: () => void flow.flush() },
            ]}
          />
        </>
      }
    >
      {flow.conflict && (
        <Conflict
          mine={frozenPart(draft)}
          theirs={frozenPart(draftOf(flow.conflict))}
          onTakeTheirs={flow.takeTheirs}
          onKeepMine={flow.keepMine}
        />
      )}
      <Problem of={flow.problem} retry={() => void flow.flush()} />
      {children}
      {asking === 'publish' && <PublishDialog onClose={() => setAsking(null)} />}
      {asking === 'unpublish' && (
        <ConfirmDialog
          title={t('unpublish')}
          text={t('unpublishText')}
          confirm={t('unpublish')}
          danger
          onConfirm={async () => {
            flow.arrived(await api.post<Storyline>(to`/v1/storylines/${saved.id}/unpublish`))
            toast(t('unpublishedNow'))
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </Page>
  )
}

function SaveState() {
  const shell = useShell()
  const format = useFormat()
  const { flow } = useEditing()
  const { dirty, saving, savedAt } = flow
  const clock = new Intl.DateTimeFormat(format.lang, { hour: '2-digit', minute: '2-digit' })
  return (
    <p class="save-state muted small" role="status">
      {saving ? (
        shell('saving')
      ) : dirty ? (
        <>
          <Icon name="pencil" /> {shell('unsaved')}
        </>
      ) : savedAt === null ? (
        shell('allSaved')
      ) : (
        <>
          <Icon name="check" /> {shell('savedAt', { time: clock.format(savedAt) })}
        </>
      )}
    </p>
  )
}
