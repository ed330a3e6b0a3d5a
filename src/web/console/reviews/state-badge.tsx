import { Badge } from '../parts'
import type { Review } from './types'
import { useReviewWords } from './words'

/** Where a review stands; of an approved one, whether the question was asked again and found its answer. */
export function StateBadge({ review: { status, verified } }: { review: Review }) {
  const t = useReviewWords()
  if (status === 'pending') return <Badge tone="info">{t('isPending')}</Badge>
  if (status === 'rejected') return <Badge tone="quiet">{t('isRejected')}</Badge>
  if (verified === null) return <Badge tone="info">{t('checking')}</Badge>
  return verified ? (
    <Badge tone="ok">{t('verified')}</Badge>
  ) : (
    <Badge tone="warn">{t('notVerified')}</Badge>
  )
}
