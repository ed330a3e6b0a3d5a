import { useState } from 'preact/hooks'
import { type Api, useApi } from '../api/call'
import { Button, Notice, Problem } from '../parts'
import { useAct } from '../use-load'
import { type Verdict, verifyChain } from './chain'
import { FAULT_WORDS } from './entry'
import type { AuditEntry, AuditPage } from './types'
import { useAuditWords } from './words'

/** The most that the API gives at once. */
const PAGE = 200

/** Fetches the whole trail and recomputes its hashes here: nothing of it has to be believed. */
export function Verify() {
  const t = useAuditWords()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [checked, setChecked] = useState(0)
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const verify = () =>
    act(async () => {
      setVerdict(null)
      setChecked(0)
      setVerdict(await verifyChain(wholeTrail(api), setChecked))
    })
  return (
    <section class="card audit-verify">
      <div>
        <h2>{t('chain')}</h2>
        <p class="muted small">{t('chainText')}</p>
      </div>
      <Button icon="check" busy={busy} onClick={() => void verify()}>
        {t('verify')}
      </Button>
      <div role="status" class="audit-verdict">
        {busy && <p class="muted">{t('verifying', { n: checked })}</p>}
        {verdict && <Result verdict={verdict} />}
      </div>
      <Problem of={problem} />
    </section>
  )
}

function Result({ verdict: { checked, newest, oldest, fromStart, fault } }: { verdict: Verdict }) {
  const t = useAuditWords()
  if (fault) return <Notice tone="bad">{t(FAULT_WORDS[fault.kind], { n: fault.seq })}</Notice>
  if (newest === null || oldest === null) return <Notice tone="info">{t('emptyTitle')}</Notice>
  return (
    <Notice tone="ok">
      {t('intact', { n: checked, from: `#${oldest}`, until: `#${newest}` })}{' '}
      {t(fromStart ? 'fromStart' : 'fromKept')}
    </Notice>
  )
}

async function* wholeTrail(api: Api): AsyncGenerator<readonly AuditEntry[]> {
  let cursor: string | null = null
  do {
    const page: AuditPage = await api.get('/v1/tenant/audit', { limit: PAGE, cursor })
    yield page.items
    cursor = page.next_cursor
  } while (cursor !== null)
}
