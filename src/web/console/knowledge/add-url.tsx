import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Button, Problem, TextField } from '../parts'
import { fieldError, unlessShown } from '../parts/field-error'
import { useAct } from '../use-load'
import { baseApi } from './addresses'
import type { Imported } from './base'
import { Outcomes } from './outcomes'
import { type Outcome, outcomesOf } from './plan-uploads'
import { useKnowledgeWords } from './words'

/** One page or file that is fetched from its address. */
export function AddUrl({ base, onAdded }: { base: string; onAdded: () => void }) {
  const t = useKnowledgeWords()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [url, setUrl] = useState('')
  const [outcomes, setOutcomes] = useState<Outcome[]>([])
  const add = () =>
    act(async () => {
      setOutcomes([])
      const sent = { url: url.trim() }
      const answer = await api.post<Imported>(`${baseApi(base)}/documents/url`, sent)
      setOutcomes(outcomesOf(answer))
      setUrl('')
      onAdded()
    })
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <TextField
        label={t('address')}
        hint={t('pageHint')}
        type="url"
        value={url}
        maxLength={2048}
        error={fieldError(problem, 'url')}
        onInput={setUrl}
      />
      <Problem of={unlessShown(problem, ['url'])} />
      <div class="row">
        <Button kind="primary" type="submit" busy={busy} disabled={url.trim() === ''}>
          {t('addPage')}
        </Button>
      </div>
      <Outcomes of={outcomes} />
    </form>
  )
}
