import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { ApiProblem } from '../api/problem'
import { Button, FileField, Meter, Problem } from '../parts'
import { useGuard } from '../router'
import { useAct } from '../use-load'
import { useFormat } from '../words'
import { baseApi } from './addresses'
import type { Imported } from './base'
import { Outcomes } from './outcomes'
import { type Outcome, outcomesOf, planUploads, refusalOf } from './plan-uploads'
import { useKnowledgeWords } from './words'

const KINDS = '.pdf,.docx,.pptx,.xlsx,.csv,.html,.htm,.md,.txt,.json,.zip'

interface UploadFilesProps {
  base: string
  onAdded: () => void
}

interface Progress {
  sent: number
  all: number
}

/** Files by drop or choice, sent a few at a time, with what came of each. */
export function UploadFiles({ base, onAdded }: UploadFilesProps) {
  const t = useKnowledgeWords()
  const format = useFormat()
  const api = useApi()
  const { busy, problem, act } = useAct()
  useGuard(busy)
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const [progress, setProgress] = useState<Progress | null>(null)
  const [unsent, setUnsent] = useState<readonly File[]>([])

  const send = (files: readonly File[], before: readonly Outcome[]) =>
    act(async () => {
      const { requests, tooLarge } = planUploads(files)
      let known: readonly Outcome[] = [
        ...before,
        ...tooLarge.map(
          ({ name }): Outcome => ({ path: name, state: 'refused', reason: t('fileTooLarge') }),
        ),
      ]
      const all = requests.flat().reduce((sum, { size }) => sum + size, 0)
      let sent = 0
      setOutcomes(known)
      setProgress({ sent, all })
      for (const [at, request] of requests.entries()) {
        setUnsent(requests.slice(at).flat())
        known = [...known, ...(await sendOne(request))]
        sent += request.reduce((sum, { size }) => sum + size, 0)
        setOutcomes(known)
        setProgress({ sent, all })
      }
      setUnsent([])
    }).then(() => {
      setProgress(null)
      onAdded()
    })

  const sendOne = async (request: readonly File[]): Promise<Outcome[]> => {
    const form = new FormData()
    for (const file of request) form.append('file', file)
    try {
      return outcomesOf(await api.post<Imported>(`${baseApi(base)}/documents/upload`, form))
    } catch (error) {
      const refusal = error instanceof ApiProblem ? refusalOf(request, error) : null
      if (refusal === null) throw error
      return [refusal]
    }
  }
  return (
    <div class="stack">
      <FileField
        label={t('chooseFiles')}
        hint={t('fileKinds')}
        accept={KINDS}
        multiple
        disabled={busy}
        onFiles={(files) => void send(files, [])}
      />
      {progress && (
        <div class="stack-small" role="status">
          <p class="small">
            {t('uploading', { sent: format.bytes(progress.sent), all: format.bytes(progress.all) })}
          </p>
          <Meter label={t('uploaded')} value={progress.sent} max={progress.all} />
        </div>
      )}
      <Problem of={problem} />
      {problem && unsent.length > 0 && (
        <div class="row">
          <span>{t('notSent', { n: unsent.length })}</span>
          <Button small icon="retry" onClick={() => void send(unsent, outcomes)}>
            {t('sendRest')}
          </Button>
        </div>
      )}
      <Outcomes of={outcomes} />
    </div>
  )
}
