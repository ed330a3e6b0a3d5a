import { useEffect, useState } from 'preact/hooks'
import type { ApiProblem } from '../../api/call'
import { useApi } from '../../api/call'
import { Button, Meter, Problem } from '../../parts'
import { asProblem, useAct } from '../../use-load'
import type { Job } from '../types'
import { Skipped } from './skipped'
import { usePeopleWords } from './words'

interface Props {
  path: string
  /** The answer of the order: what was done, or only the job that does it. */
  first: Partial<Job>
  onMoved: () => void
}

const LOOK_MS = 1500

/** What came of an order: at once, or as its job goes on; and taking it back. */
export function Moved({ path, first, onMoved }: Props) {
  const t = usePeopleWords()
  const api = useApi()
  const [job, setJob] = useState(first)
  const [failed, setFailed] = useState<ApiProblem | null>(null)
  const { busy, problem, act } = useAct()
  const { job_id: id } = job
  const running = job.matched === undefined || job.status === 'running'
  useEffect(() => {
    if (!running || id === undefined) return undefined
    const timer = setTimeout(async () => {
      try {
        const now = await api.get<Job>(`${path}/${id}`)
        setJob(now)
        if (now.status !== 'running') onMoved()
      } catch (error) {
        setFailed(asProblem(error))
      }
    }, LOOK_MS)
    return () => clearTimeout(timer)
  }, [job])
  const undo = () =>
    void act(async () => {
      const answer = await api.post<Partial<Job>>(`${path}/${id}/undo`)
      setJob({ ...answer, action: 'undo' })
      onMoved()
    })
  const { changed = 0, matched = 0 } = job
  return (
    <div class="stack" role="status">
      {running ? (
        <>
          <p>{t('movingNow')}</p>
          <Meter label={t('movingNow')} value={changed} max={Math.max(matched, 1)} />
        </>
      ) : (
        <>
          <p>{t(job.action === 'undo' ? 'peopleBack' : 'peopleMoved', { n: changed })}</p>
          <Skipped of={{ skipped: job.skipped ?? [] }} />
        </>
      )}
      <Problem of={failed ?? problem} />
      {!running && job.action !== 'undo' && id !== undefined && (
        <Button icon="undo" busy={busy} onClick={undo}>
          {t('undoMigration')}
        </Button>
      )}
    </div>
  )
}
