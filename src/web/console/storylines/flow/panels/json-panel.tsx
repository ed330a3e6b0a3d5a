import { useState } from 'preact/hooks'
import { Button, Notice, TextArea } from '../../../parts'
import { isFormat1 } from '../../model/draft'
import { blankGraph } from '../../model/edits'
import type { Graph } from '../../types'
import { useEditing } from '../context'
import { usePanelWords } from './words'

/** The graph as text: for a graph of another shape the only way to see and to change it. */
export function JsonPanel() {
  const t = usePanelWords()
  const { flow } = useEditing()
  const { graph } = flow.draft
  const shown = JSON.stringify(graph, null, 2)
  const [text, setText] = useState(shown)
  const [before, setBefore] = useState(shown)
  const [wrong, setWrong] = useState(false)
  if (shown !== before) {
    setBefore(shown)
    setText(shown)
  }
  const apply = () => {
    try {
      const next = JSON.parse(text) as unknown
      if (typeof next !== 'object' || next === null || Array.isArray(next)) return setWrong(true)
      flow.editGraph(null, () => next as Graph)
    } catch {
      setWrong(true)
    }
  }
  return (
    <div class="stack">
      {!isFormat1(graph) && (
        <Notice tone="info">
          <p>{t('foreignGraph')}</p>
          <Button small onClick={() => flow.editGraph(null, () => blankGraph())}>
            {t('beginAnew')}
          </Button>
        </Notice>
      )}
      <TextArea
        label={t('graphAsText')}
        mono
        rows={20}
        value={text}
        error={wrong ? t('notJson') : null}
        onInput={(next) => {
          setText(next)
          setWrong(false)
        }}
      />
      <Button disabled={text === shown} onClick={apply}>
        {t('apply')}
      </Button>
    </div>
  )
}
