import { Badge, Empty } from '../../../parts'
import { useShell } from '../../../words'
import { nodesOf } from '../../model/draft'
import { nodeOf, spotOf } from '../../model/problems'
import { useEditing } from '../context'
import { usePanelWords } from './words'

/** What the last check found; each leads to the field where it is mended. */
export function ProblemsPanel() {
  const t = usePanelWords()
  const shell = useShell()
  const { flow, goTo } = useEditing()
  const { findings, draft } = flow
  if (findings === null) return <p class="muted">{shell('loading')}</p>
  if (findings.length === 0) return <Empty title={t('noProblems')} text={t('noProblemsText')} />
  return (
    <ul class="plain-rows">
      {findings.map((one) => {
        const node = nodeOf(one)
        return (
          <li key={`${one.path} ${one.code}`}>
            <button type="button" class="problem-row" onClick={() => goTo(spotOf(one))}>
              <Badge tone={one.severity === 'error' ? 'bad' : 'warn'}>
                {t(one.severity === 'error' ? 'error' : 'warning')}
              </Badge>
              <span dir="auto">{one.message}</span>
              <span class="small muted" dir="auto">
                {node === undefined
                  ? one.path
                  : [nodesOf(draft.graph)[node]?.title ?? node, one.exit]
                      .filter(Boolean)
                      .join(' · ')}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
