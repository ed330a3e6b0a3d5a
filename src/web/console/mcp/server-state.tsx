import { Badge, type Tone } from '../parts'
import type { Server } from './server'
import { useMcpWords } from './words'

const TONES: Record<Server['status'], Tone> = {
  unknown: 'quiet',
  connecting: 'info',
  ready: 'ok',
  failed: 'bad',
  disabled: 'quiet',
}

export function ServerState({ of: server }: { of: Pick<Server, 'status' | 'pending'> }) {
  const t = useMcpWords()
  return (
    <span class="row">
      <Badge tone={TONES[server.status]}>{t(`status_${server.status}`)}</Badge>
      {server.pending.length > 0 && (
        <Badge tone="warn">{t('pendingCount', { n: server.pending.length })}</Badge>
      )}
    </span>
  )
}
