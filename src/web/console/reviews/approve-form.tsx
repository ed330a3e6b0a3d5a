import { useState } from 'preact/hooks'
import { ApiProblem, useApi } from '../api/call'
import {
  Button,
  CallThisApi,
  ConfirmDialog,
  Notice,
  Problem,
  SelectField,
  TextArea,
  TextField,
} from '../parts'
import { to } from '../router'
import { useAct, useLoad } from '../use-load'
import type { Handles } from './detail'
import { DraftBox } from './draft-box'
import type { Edit } from './edit'
import { approvalOf } from './edit'
import type { Review } from './types'
import { useReviewWords } from './words'

interface ApproveFormProps {
  review: Review
  bases: readonly string[]
  edit: Edit
  onEdit: (edit: Edit) => void
  onDecided: (review: Review) => void
  /** Somebody else decided it: the queue is asked for anew. */
  onOvertaken: () => void
  handles: { current: Handles | null }
}

const isDecidedAlready = (error: unknown) =>
  error instanceof ApiProblem && error.code === 'review_decided'

/** The better answer: suggested, written or corrected, then approved into a base; or the question is left as it is. */
export function ApproveForm({
  review,
  bases,
  edit,
  onEdit,
  onDecided,
  onOvertaken,
  handles,
}: ApproveFormProps) {
  const t = useReviewWords()
  const api = useApi()
  const approving = useAct()
  const [isRejecting, setRejecting] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const [isOvertaken, setOvertaken] = useState(false)
  const read = useLoad(
    async (calls, signal) =>
      review.agent_name === null
        ? []
        : (
            await calls.get<{ knowledge_bases: string[] }>(
              to`/v1/agents/${review.agent_name}`,
              {},
              signal,
            )
          ).knowledge_bases,
    [review.agent_name],
  )
  const own = read.data ?? []
  // The agent's own first: what is written into another base it does not find.
  const ordered = [
    ...own.filter((name) => bases.includes(name)),
    ...bases.filter((name) => !own.includes(name)),
  ]
  const base = edit.base === '' ? (ordered[0] ?? '') : edit.base
  const path = to`/v1/manage/reviews/${review.id}`
  // Unsourced sentences may be approved as they are; where there are none, an empty text says nothing.
  const isSilent = edit.text.trim() === '' && review.unsourced.length === 0
  const decide = async (call: () => Promise<Review>) => {
    try {
      onDecided(await call())
    } catch (error) {
      if (!isDecidedAlready(error)) throw error
      setOvertaken(true)
    }
  }
  const approve = () => {
    if (base === '' || isOvertaken) return
    setAsked(isSilent)
    if (isSilent) return
    void approving.act(() =>
      decide(() => api.post<Review>(`${path}/approve`, approvalOf({ ...edit, base }))),
    )
  }
  handles.current = { id: review.id, approve, reject: () => setRejecting(true) }
  const problem = approving.problem
  const errorAt = (field: string) =>
    problem?.fields.find((one) => one.path === field)?.message ?? null
  const isAtField = ['kb_name', 'title', 'text'].some((field) => errorAt(field) !== null)
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        approve()
      }}
    >
      <h3>{t('betterAnswer')}</h3>
      <DraftBox
        path={path}
        lang={edit.lang}
        written={edit.text}
        onLang={(lang) => onEdit({ ...edit, lang })}
        onUse={(text) => onEdit({ ...edit, text })}
      />
      <TextArea
        label={t('text')}
        value={edit.text}
        onInput={(text) => onEdit({ ...edit, text })}
        rows={6}
        maxLength={100_000}
        dir="auto"
        hint={t(review.unsourced.length > 0 ? 'textHintUnsourced' : 'textHint')}
        error={isAsked && isSilent ? t('textNeeded') : errorAt('text')}
      />
      <div class="grid2">
        <TextField
          label={t('documentTitle')}
          value={edit.title}
          onInput={(title) => onEdit({ ...edit, title })}
          maxLength={200}
          dir="auto"
          optional
          hint={t('titleHint')}
          error={errorAt('title')}
        />
        <SelectField
          label={t('intoBase')}
          value={base}
          options={ordered.map((name) => ({ value: name, label: name }))}
          onChange={(name) => onEdit({ ...edit, base: name })}
          hint={read.data && base !== '' && !own.includes(base) ? t('foreignBase') : t('baseHint')}
          error={errorAt('kb_name')}
        />
      </div>
      {bases.length === 0 && <p class="small muted">{t('noBase')}</p>}
      <Problem of={isAtField ? null : problem} />
      <div role="status">
        {isOvertaken && (
          <Notice tone="warn">
            <p>{t('overtaken')}</p>
            <Button small icon="retry" onClick={onOvertaken}>
              {t('lookAgain')}
            </Button>
          </Notice>
        )}
      </div>
      <div class="row">
        <Button
          kind="primary"
          type="submit"
          icon="check"
          busy={approving.busy}
          disabled={base === '' || isOvertaken}
        >
          {t('approve')}
        </Button>
        <Button onClick={() => setRejecting(true)} disabled={approving.busy || isOvertaken}>
          {t('reject')}
        </Button>
        <CallThisApi method="POST" path={`${path}/approve`} body={approvalOf({ ...edit, base })} />
        {approving.busy && <span class="small muted">{t('approving')}</span>}
      </div>
      {isRejecting && (
        <ConfirmDialog
          title={t('rejectTitle')}
          text={t('rejectText')}
          confirm={t('reject')}
          onConfirm={() => decide(() => api.post<Review>(`${path}/reject`))}
          onClose={() => setRejecting(false)}
        />
      )}
    </form>
  )
}
