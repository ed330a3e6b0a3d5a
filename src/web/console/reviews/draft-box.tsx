import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Button, Problem, SelectField } from '../parts'
import { useAct } from '../use-load'
import { useFormat } from '../words'
import { languageOptions } from './languages'
import type { Draft } from './types'
import { useReviewWords } from './words'

interface DraftBoxProps {
  path: string
  lang: string
  /** What is written so far. */
  written: string
  onLang: (lang: string) => void
  onUse: (text: string) => void
}

/** A text that the agent's own bases give; it takes the place of what was written only when it is told to. */
export function DraftBox({ path, lang, written, onLang, onUse }: DraftBoxProps) {
  const t = useReviewWords()
  const api = useApi()
  const { lang: own } = useFormat()
  const drafting = useAct()
  const [draft, setDraft] = useState<Draft | null>(null)
  const suggest = () =>
    drafting.act(async () => {
      const made = await api.post<Draft>(`${path}/draft`, undefined, { query: { lang } })
      setDraft(made)
      if (made.text !== null && written.trim() === '') onUse(made.text)
    })
  return (
    <div class="stack tight">
      <div class="row draft-bar">
        <SelectField
          label={t('draftLanguage')}
          value={lang}
          options={[{ value: '', label: t('questionsLanguage') }, ...languageOptions(own)]}
          onChange={onLang}
        />
        <Button busy={drafting.busy} onClick={() => void suggest()}>
          {t('suggest')}
        </Button>
      </div>
      <Problem of={drafting.problem} />
      <div role="status">
        {draft?.reason && <p class="small muted">{t(`draft_${draft.reason}`)}</p>}
        {draft?.text && <p class="sr">{t('draftSources', { n: draft.sources.length })}</p>}
      </div>
      {draft?.text && (
        <Made draft={draft} text={draft.text} isUsed={written === draft.text} onUse={onUse} />
      )}
    </div>
  )
}

interface MadeProps {
  draft: Draft
  text: string
  isUsed: boolean
  onUse: (text: string) => void
}

function Made({ draft, text, isUsed, onUse }: MadeProps) {
  const t = useReviewWords()
  // Open where there is something to decide; after that it is the reader's.
  const [isOpen] = useState(!isUsed)
  return (
    <details class="review-draft" open={isOpen}>
      <summary>{t('draftSources', { n: draft.sources.length })}</summary>
      <div class="stack tight">
        {!isUsed && (
          <p class="spoken" dir="auto">
            {text}
          </p>
        )}
        <ul class="point-list small">
          {draft.sources.map(({ document_id, title, url, quote }) => (
            <li key={`${document_id} ${quote}`}>
              {url === null ? (
                <strong dir="auto">{title}</strong>
              ) : (
                <a href={url} target="_blank" rel="noopener noreferrer" dir="auto">
                  {title}
                </a>
              )}
              <q dir="auto">{quote}</q>
            </li>
          ))}
        </ul>
        {!isUsed && (
          <div>
            <Button small onClick={() => onUse(text)}>
              {t('useDraft')}
            </Button>
          </div>
        )}
      </div>
    </details>
  )
}
