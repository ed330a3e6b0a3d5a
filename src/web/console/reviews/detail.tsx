import { useCallback, useState } from 'preact/hooks'
import { plainText } from '../../kit/markdown/plain-text'
import { agentPath } from '../agents/paths'
import { Badge, Button, Time } from '../parts'
import { ReplyText } from '../parts/reply-text'
import { Link, to } from '../router'
import { ApproveForm } from './approve-form'
import type { Edit } from './edit'
import { markSentences } from './mark-sentences'
import { StateBadge } from './state-badge'
import type { Review } from './types'
import { useReviewWords } from './words'

/** What the keys of the queue reach. */
export interface Handles {
  /** Of the review that they act on. */
  id: string
  approve: () => void
  reject: () => void
}

interface DetailProps {
  review: Review
  bases: readonly string[]
  edit: Edit
  onEdit: (edit: Edit) => void
  onDecided: (review: Review) => void
  onOvertaken: () => void
  onLookAgain: () => void
  handles: { current: Handles | null }
}

export function Detail({ review, onLookAgain, ...form }: DetailProps) {
  const t = useReviewWords()
  const isPending = review.status === 'pending'
  return (
    <article class="stack">
      <header class="stack tight">
        <div class="row small">
          <StateBadge review={review} />
          {review.reasons.map((reason) => (
            <Badge key={reason} tone="quiet">
              {t(`reason_${reason}`)}
            </Badge>
          ))}
          {review.agent_name !== null && (
            <Link to={agentPath(review.agent_name)}>
              <bdi>{review.agent_name}</bdi>
            </Link>
          )}
          <span class="muted">{t('asked', { n: review.count })}</span>
          <span class="muted">
            <Time at={review.last_seen_at} />
          </span>
        </div>
        <h2 tabIndex={-1} dir="auto">
          {review.question ?? t('unreadable')}
        </h2>
      </header>
      <Answer review={review} />
      <Source review={review} />
      <Opinion review={review} />
      {isPending && review.question !== null && <ApproveForm review={review} {...form} />}
      {isPending && review.question === null && <p class="muted">{t('unreadableText')}</p>}
      {!isPending && <Decision review={review} onLookAgain={onLookAgain} />}
    </article>
  )
}

function Answer({ review: { answer, unsourced } }: { review: Review }) {
  const t = useReviewWords()
  const [left, setLeft] = useState<readonly string[]>([])
  const mark = useCallback(
    (root: HTMLElement) => setLeft(markSentences(root, unsourced.map(plainText))),
    [unsourced],
  )
  if (answer === null) return null
  return (
    <section class="stack tight">
      <h3>{t('answer')}</h3>
      <ReplyText text={answer} onWritten={mark} />
      {unsourced.length > 0 && left.length < unsourced.length && (
        <p class="small muted">{t('markedHint')}</p>
      )}
      {left.length > 0 && (
        <>
          <h4>{t('unsourced')}</h4>
          <ul class="point-list">
            {left.map((sentence) => (
              <li key={sentence} dir="auto">
                <mark>{sentence}</mark>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Source({ review }: { review: Review }) {
  const t = useReviewWords()
  const { source_title: title, source_text: text, source_url: url } = review
  if (title === null && text === null && url === null) {
    return <p class="small muted">{t('noSource')}</p>
  }
  return (
    <details class="card review-source">
      <summary>{t('source', { title: title ?? url ?? t('untitled') })}</summary>
      {url !== null && (
        <p class="small">
          <a href={url} target="_blank" rel="noopener noreferrer" dir="ltr">
            {url}
          </a>
        </p>
      )}
      {text !== null && (
        <p class="spoken" dir="auto">
          {text}
        </p>
      )}
    </details>
  )
}

function Opinion({ review: { comment, feedback_reasons: reasons } }: { review: Review }) {
  const t = useReviewWords()
  if (comment === null && reasons.length === 0) return null
  return (
    <section class="stack tight">
      <h3>{t('feedback')}</h3>
      {reasons.length > 0 && (
        <div class="row">
          {reasons.map((reason) => (
            <Badge key={reason} tone="warn">
              {t(`feedback_${reason}`)}
            </Badge>
          ))}
        </div>
      )}
      {comment !== null && (
        <p class="spoken" dir="auto">
          {comment}
        </p>
      )}
    </section>
  )
}

function Decision({ review, onLookAgain }: { review: Review; onLookAgain: () => void }) {
  const t = useReviewWords()
  const { status, verified, kb_name: base, decided_at: at, document_id: documentId } = review
  if (status === 'rejected') {
    return (
      <p class="card small">
        {t('rejectedText')} {at !== null && <Time at={at} />}
      </p>
    )
  }
  return (
    <section class="card stack tight">
      <p>
        {verified === null ? t('checkingText') : t(verified ? 'verifiedText' : 'notVerifiedText')}
      </p>
      <p class="row small">
        {base !== null && (
          <Link
            to={
              documentId === null
                ? to`/knowledge/${base}`
                : to`/knowledge/${base}/documents/${documentId}`
            }
          >
            <bdi>{base}</bdi>
          </Link>
        )}
        {at !== null && <Time at={at} />}
        {verified === null && (
          <Button small onClick={onLookAgain}>
            {t('lookAgain')}
          </Button>
        )}
      </p>
    </section>
  )
}
