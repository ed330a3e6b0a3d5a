import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Button, Problem, TextArea, TextField } from '../parts'
import { fieldError, unlessShown } from '../parts/field-error'
import { useGuard } from '../router'
import { useAct } from '../use-load'
import { baseApi } from './addresses'
import type { Imported } from './base'
import { Outcomes } from './outcomes'
import { type Outcome, outcomesOf } from './plan-uploads'
import { useKnowledgeWords } from './words'

const NEW = { title: '', text: '', source_url: '' }
const FIELDS = Object.keys(NEW)

/** A text that is written here, with the address that readers are shown as its source. */
export function AddText({ base, onAdded }: { base: string; onAdded: () => void }) {
  const t = useKnowledgeWords()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [draft, setDraft] = useState(NEW)
  useGuard(draft.text !== '')
  const [outcomes, setOutcomes] = useState<Outcome[]>([])
  const set = (name: keyof typeof NEW) => (value: string) =>
    setDraft((was) => ({ ...was, [name]: value }))
  const add = () =>
    act(async () => {
      setOutcomes([])
      const source = draft.source_url.trim()
      const answer = await api.post<Imported>(`${baseApi(base)}/documents/text`, {
        title: draft.title,
        text: draft.text,
        source_url: source === '' ? null : source,
      })
      setOutcomes(outcomesOf(answer))
      setDraft(NEW)
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
        label={t('title')}
        hint={t('titleHint')}
        value={draft.title}
        maxLength={200}
        error={fieldError(problem, 'title')}
        onInput={set('title')}
      />
      <TextArea
        label={t('text')}
        hint={t('textHint')}
        value={draft.text}
        rows={8}
        maxLength={900_000}
        error={fieldError(problem, 'text')}
        onInput={set('text')}
      />
      <TextField
        label={t('sourceAddress')}
        hint={t('sourceAddressHint')}
        type="url"
        value={draft.source_url}
        maxLength={2048}
        optional
        error={fieldError(problem, 'source_url')}
        onInput={set('source_url')}
      />
      <Problem of={unlessShown(problem, FIELDS)} />
      <div class="row">
        <Button
          kind="primary"
          type="submit"
          busy={busy}
          disabled={draft.title.trim() === '' || draft.text.trim() === ''}
        >
          {t('addText')}
        </Button>
      </div>
      <Outcomes of={outcomes} />
    </form>
  )
}
