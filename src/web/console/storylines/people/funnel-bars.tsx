import { useFormat } from '../../words'
import type { Step } from '../model/funnel'
import { useSpan } from './use-span'
import { usePeopleWords } from './words'

interface Props {
  steps: readonly Step[]
  enrolled: number
}

/** Bars of milestones, then of all nodes; each says its numbers, so none is told by its length alone. */
export function FunnelBars({ steps, enrolled }: Props) {
  const t = usePeopleWords()
  const milestones = steps.filter((step) => step.milestone && !step.retired)
  return (
    <>
      {milestones.length > 0 && (
        <section class="stack">
          <h2>{t('byMilestone')}</h2>
          <Bars steps={milestones} enrolled={enrolled} />
        </section>
      )}
      <section class="stack">
        <h2>{t('byNode')}</h2>
        <Bars steps={steps} enrolled={enrolled} />
      </section>
    </>
  )
}

function Bars({ steps, enrolled }: Props) {
  const t = usePeopleWords()
  const format = useFormat()
  const span = useSpan()
  const most = Math.max(enrolled, ...steps.map((step) => step.entered), 1)
  return (
    <ol class="funnel-bars card">
      {steps.map((step) => (
        <li key={step.key} class={step.retired ? 'funnel-bar retired' : 'funnel-bar'}>
          <div class="bar-head">
            <strong dir="auto">
              {step.retired
                ? t('retiredNode', { name: step.title ?? step.key })
                : (step.title ?? step.key)}
            </strong>
            <span class="tabular">
              {format.number(step.entered)}
              {enrolled > 0 && (
                <span class="muted"> · {format.percent(step.entered / enrolled)}</span>
              )}
            </span>
          </div>
          <div class="bar-track" aria-hidden="true">
            <span class="bar-fill" style={{ inlineSize: `${(step.entered / most) * 100}%` }} />
            <span
              class="bar-lost"
              style={{
                inlineSize: `${((step.exited + step.failed + step.stalled) / most) * 100}%`,
              }}
            />
          </div>
          <p class="small muted bar-facts">
            {step.active > 0 && <span>{t('peopleHere', { n: step.active })}</span>}
            {step.drop !== null && (
              <span>
                {t('drop')} {format.percent(step.drop)}
              </span>
            )}
            {step.stalled > 0 && (
              <span>
                {t('stalled')} {format.number(step.stalled)}
              </span>
            )}
            {step.median_seconds !== null && (
              <span>
                {t('median')} {span(step.median_seconds)}
              </span>
            )}
          </p>
        </li>
      ))}
    </ol>
  )
}
