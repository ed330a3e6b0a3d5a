import { useEffect, useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Button, Empty, NumberField, Problem, TextField } from '../parts'
import { fieldError, unlessShown } from '../parts/field-error'
import { useQuery } from '../router'
import type { ScreenProps } from '../screens'
import { useAct } from '../use-load'
import { baseApi } from './addresses'
import type { Found } from './base'
import { BaseFrame } from './base-frame'
import { FoundPassages } from './found-passages'
import { useKnowledgeWords } from './words'

export { words } from './words'

const FIELDS = ['query', 'k']

/** Asks the base a question as an agent would, and shows what it finds and whether that would do. */
export function Screen({ params }: ScreenProps) {
  const name = params.name ?? ''
  const t = useKnowledgeWords()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [query, setQuery] = useQuery()
  const [question, setQuestion] = useState(query.get('ask') ?? '')
  const [k, setK] = useState<number | null>(Number(query.get('k')) || null)
  const [found, setFound] = useState<Found | null>(null)
  const path = `${baseApi(name)}/search`
  const ask = () =>
    act(async () => {
      setQuery({ ask: question, k: k === null ? null : String(k) })
      setFound(await api.post<Found>(path, { query: question, k }))
    })
  // A link to a question shows what it finds.
  useEffect(() => {
    if (question !== '') void ask()
  }, [])
  return (
    <BaseFrame
      name={name}
      tab="verify"
      call={{ method: 'POST', path, body: { query: question || t('askExample'), k: k ?? 6 } }}
    >
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (question.trim() !== '') void ask()
        }}
      >
        <p class="muted">{t('verifyHint')}</p>
        <div class="base-ask">
          <TextField
            label={t('question')}
            value={question}
            maxLength={4000}
            placeholder={t('askExample')}
            error={fieldError(problem, 'query')}
            onInput={setQuestion}
          />
          <NumberField
            label={t('hits')}
            value={k}
            min={1}
            max={20}
            step={1}
            placeholder="6"
            error={fieldError(problem, 'k')}
            onInput={setK}
          />
          <Button
            kind="primary"
            icon="search"
            type="submit"
            busy={busy}
            disabled={question.trim() === ''}
          >
            {t('ask')}
          </Button>
        </div>
      </form>
      <Problem of={unlessShown(problem, FIELDS)} />
      <p class="sr" role="status">
        {found &&
          `${t(found.gate.open ? 'gateOpen' : 'gateShut')} ${t('hitCount', { n: found.hits.length })}`}
      </p>
      {found ? (
        <FoundPassages base={name} found={found} />
      ) : (
        problem === null && !busy && <Empty title={t('askTitle')} text={t('askText')} />
      )}
    </BaseFrame>
  )
}
