import { Badge } from '../parts'
import { useFormat } from '../words'
import type { Base } from './base'
import { useKnowledgeWords } from './words'

export function BaseState({ of: base }: { of: Base }) {
  const t = useKnowledgeWords()
  const format = useFormat()
  switch (base.status) {
    case 'empty':
      return <Badge tone="quiet">{t('empty')}</Badge>
    case 'processing':
      return (
        <Badge tone="info">
          {t('reading')} {format.percent(base.progress / 100)}
        </Badge>
      )
    case 'failed':
      return <Badge tone="bad">{t('failed')}</Badge>
    case 'ready':
      return <Badge tone="ok">{t('ready')}</Badge>
  }
}
