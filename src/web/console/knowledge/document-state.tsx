import { Badge, Said, Time } from '../parts'
import { useFormat } from '../words'
import { type Document, isBeingRead } from './base'
import { useKnowledgeWords } from './words'

/** Whether a document can be found yet, and what is amiss. */
export function DocumentState({ of: document }: { of: Document }) {
  const t = useKnowledgeWords()
  const format = useFormat()
  const { status, progress, attempts, error, vectors, gone_at } = document
  return (
    <div class="document-state">
      {isBeingRead(status) && (
        <Badge tone={status === 'queued' ? 'quiet' : 'info'}>
          {status === 'queued' ? t('queued') : `${t('reading')} ${format.percent(progress / 100)}`}
        </Badge>
      )}
      {isBeingRead(status) && attempts > 1 && (
        <span class="muted small">{t('attempt', { n: attempts })}</span>
      )}
      {status === 'failed' && <Badge tone="bad">{t('failed')}</Badge>}
      {status === 'failed' && error && <Said small text={error} />}
      {status === 'ready' && <Badge tone="ok">{t('ready')}</Badge>}
      {status === 'ready' && vectors === 'pending' && (
        <span class="muted small">{t('vectorsPending')}</span>
      )}
      {gone_at && (
        <>
          <Badge tone="warn">{t('gone')}</Badge>
          <span class="muted small">
            <Time at={gone_at} />
          </span>
        </>
      )}
    </div>
  )
}
