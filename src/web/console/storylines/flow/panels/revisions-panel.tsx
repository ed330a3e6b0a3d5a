import { useState } from 'preact/hooks'
import { useApi } from '../../../api/call'
import { Badge, Button, Dialog, Empty, Loadable, Problem, Time, useToast } from '../../../parts'
import { to } from '../../../router'
import { useAct, useLoad } from '../../../use-load'
import { useShell } from '../../../words'
import { frozenPart } from '../../model/draft'
import type { Revision, RevisionFull } from '../../types'
import { useEditing } from '../context'
import { DiffBox } from './diff-box'
import { usePanelWords } from './words'

/** What was published; each can be compared with the draft and taken back into it. */
export function RevisionsPanel() {
  const t = usePanelWords()
  const api = useApi()
  const { flow } = useEditing()
  const path = to`/v1/storylines/${flow.saved.id}/revisions`
  const list = useLoad(
    (calls) => calls.get<Revision[]>(path),
    [path, flow.saved.published_revision_id],
  )
  const [open, setOpen] = useState<RevisionFull | null>(null)
  const { problem, act } = useAct()
  const show = (id: string) =>
    void act(async () => setOpen(await api.get<RevisionFull>(`${path}/${id}`)))
  return (
    <div class="stack">
      <p class="hint">{t('revisionsHint')}</p>
      <Problem of={problem} />
      <Loadable of={list}>
        {(revisions) =>
          revisions.length === 0 ? (
            <Empty title={t('noRevisions')} text={t('noRevisionsText')} />
          ) : (
            <ul class="plain-rows">
              {revisions.map((one) => (
                <li key={one.id}>
                  <button type="button" class="problem-row" onClick={() => show(one.id)}>
                    <span class="row">
                      <strong>{t('versionNumber', { n: one.version })}</strong>
                      {one.id === flow.saved.published_revision_id && (
                        <Badge tone="ok">{t('live')}</Badge>
                      )}
                    </span>
                    <span class="small muted">
                      <Time at={one.created_at} />
                      {one.actor && (
                        <>
                          {' · '}
                          <bdi>{one.actor}</bdi>
                        </>
                      )}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loadable>
      {open && <RevisionDialog revision={open} onClose={() => setOpen(null)} />}
    </div>
  )
}

function RevisionDialog({ revision, onClose }: { revision: RevisionFull; onClose: () => void }) {
  const t = usePanelWords()
  const shell = useShell()
  const toast = useToast()
  const { flow } = useEditing()
  const takeBack = () => {
    const {
      id: _id,
      version: _version,
      actor: _actor,
      created_at: _at,
      key: _key,
      ...rest
    } = revision
    flow.edit(null, (draft) => ({ ...draft, ...(rest as unknown as Partial<typeof draft>) }))
    toast(t('takenBack'))
    onClose()
  }
  return (
    <Dialog
      title={t('versionNumber', { n: revision.version })}
      wide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('close')}</Button>
          <Button kind="primary" icon="undo" onClick={takeBack}>
            {t('takeIntoDraft')}
          </Button>
        </>
      }
    >
      <p class="hint">{t('revisionDiffHint')}</p>
      <DiffBox
        label={t('revisionDiffHint')}
        before={frozenPart(revision)}
        after={frozenPart(flow.draft)}
      />
    </Dialog>
  )
}
