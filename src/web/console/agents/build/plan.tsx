import { useState } from 'preact/hooks'
import type * as z from 'zod'
import type { PlanOut } from '../../../../agents/schema'
import { useApi } from '../../api/call'
import { Badge, Button, Notice, Problem, Said, TextField } from '../../parts'
import { useAct } from '../../use-load'
import { agentApi } from '../paths'
import { Section } from './section'
import { useBuildWords } from './words'

type Plan = z.output<typeof PlanOut>

/** How the stored agent would go about a question, without doing any of it. */
export function PlanPreview({ name, unsaved }: { name: string; unsaved: boolean }) {
  const t = useBuildWords()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [goal, setGoal] = useState('')
  const [plan, setPlan] = useState<Plan | null>(null)
  const look = () =>
    void act(async () => {
      setPlan(await api.post<Plan>(`${agentApi(name)}/preview-plan`, { goal: goal.trim() }))
    })
  return (
    <Section id="plan" title={t('plan')} hint={t('planHint')}>
      <form
        class="row plan-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (goal.trim() !== '') look()
        }}
      >
        <TextField label={t('planGoal')} value={goal} maxLength={4000} onInput={setGoal} />
        <Button type="submit" busy={busy} disabled={goal.trim() === ''}>
          {t('planShow')}
        </Button>
      </form>
      {unsaved && <p class="hint">{t('planUnsaved')}</p>}
      <Problem of={problem} />
      {plan && (
        <div class="stack" role="status">
          {plan.warnings.length > 0 && (
            <Notice tone="warn">
              <ul class="plain-list">
                {plan.warnings.map((words) => (
                  <li key={words}>
                    <Said text={words} />
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          <ol class="plan-steps">
            {plan.plan.steps.map((step) => (
              <li key={step.n}>
                <Badge tone="info">{t(`step_${step.type}`)}</Badge> <bdi>{step.name}</bdi>
                <p class="muted small">
                  <Said text={step.reason} />
                </p>
              </li>
            ))}
          </ol>
          <p class="muted small">
            {t('planCost', { n: plan.plan.estimated_tokens })}{' '}
            {t(plan.backend === 'llm' ? 'planByModel' : 'planByRules')}
          </p>
        </div>
      )}
    </Section>
  )
}
