import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Button, NumberField, Problem, TextField } from '../parts'
import { fieldError, unlessShown } from '../parts/field-error'
import { useAct } from '../use-load'
import { baseApi } from './addresses'
import { useKnowledgeWords } from './words'

/** The pages of a whole site, which are fetched in the background. */
export function AddSite({ base, onJob }: { base: string; onJob: (id: string) => void }) {
  const t = useKnowledgeWords()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [url, setUrl] = useState('')
  const [limit, setLimit] = useState<number | null>(null)
  const begin = () =>
    act(async () => {
      const { job_id } = await api.post<{ job_id: string }>(`${baseApi(base)}/documents/site`, {
        url: url.trim(),
        limit,
      })
      setUrl('')
      onJob(job_id)
    })
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void begin()
      }}
    >
      <TextField
        label={t('siteAddress')}
        hint={t('siteHint')}
        type="url"
        value={url}
        maxLength={2048}
        error={fieldError(problem, 'url')}
        onInput={setUrl}
      />
      <NumberField
        label={t('mostPages')}
        hint={t('mostPagesHint')}
        value={limit}
        min={1}
        max={500}
        step={1}
        placeholder="100"
        optional
        error={fieldError(problem, 'limit')}
        onInput={setLimit}
      />
      <Problem of={unlessShown(problem, ['url', 'limit'])} />
      <div class="row">
        <Button kind="primary" type="submit" busy={busy} disabled={url.trim() === ''}>
          {t('beginSite')}
        </Button>
      </div>
    </form>
  )
}
