import { Badge, Button } from '../parts'
import type { Listed } from '../use-load'
import { useFormat, useShell } from '../words'
import { StateBadge } from './state-badge'
import type { Review } from './types'
import { useReviewWords } from './words'

interface QueueListProps {
  queue: Listed<Review>
  current: string
  onChoose: (id: string) => void
}

export function QueueList({ queue, current, onChoose }: QueueListProps) {
  const t = useReviewWords()
  const shell = useShell()
  const format = useFormat()
  return (
    <nav class="desk-list" aria-label={t('queue')}>
      <ul>
        {queue.items?.map((review) => (
          <li key={review.id}>
            <button
              type="button"
              class="desk-item"
              aria-current={review.id === current}
              onClick={() => onChoose(review.id)}
            >
              <span class="desk-item-title" dir="auto">
                {review.question ?? t('unreadable')}
              </span>
              <span class="row small muted">
                {review.status === 'pending' ? (
                  review.reasons.map((reason) => (
                    <Badge key={reason} tone="quiet">
                      {t(`reason_${reason}`)}
                    </Badge>
                  ))
                ) : (
                  <StateBadge review={review} />
                )}
                {review.count > 1 && <span>{t('asked', { n: review.count })}</span>}
                <span>{format.ago(review.last_seen_at)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {queue.hasMore && (
        <div class="desk-more">
          <Button small busy={queue.loading} onClick={queue.more}>
            {shell('more')}
          </Button>
        </div>
      )}
    </nav>
  )
}
