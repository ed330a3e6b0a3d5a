import { useId } from 'preact/hooks'
import { FieldFrame, NumberField, SwitchField } from '../../parts'
import { useFormat } from '../../words'
import type { SectionProps } from './instructions'
import { Section } from './section'
import { useBuildWords } from './words'

/** Which model writes, how it goes about a question, and how much of it there may be. */
export function Answering({ editor, models }: SectionProps & { models: readonly string[] }) {
  const t = useBuildWords()
  const { number } = useFormat()
  const { draft, set, error } = editor
  const list = useId()
  return (
    <Section id="answering" title={t('answering')}>
      <FieldFrame label={t('model')} hint={t('modelHint')} error={error('model')}>
        {(tied) => (
          <>
            <input
              {...tied}
              type="text"
              class="mono"
              dir="ltr"
              list={list}
              spellcheck={false}
              autocomplete="off"
              maxLength={200}
              placeholder={t('usualModel')}
              value={draft.model ?? ''}
              onInput={({ currentTarget: { value } }) => set('model', value === '' ? null : value)}
            />
            <datalist id={list}>
              {models.map((model) => (
                <option key={model} value={model} />
              ))}
            </datalist>
          </>
        )}
      </FieldFrame>
      <div class="switches">
        <SwitchField
          label={t('ambiguity_check')}
          hint={t('ambiguityCheckHint')}
          checked={draft.ambiguity_check}
          error={error('ambiguity_check')}
          onChange={(on) => set('ambiguity_check', on)}
        />
        <SwitchField
          label={t('deep_research')}
          hint={t('deepResearchHint')}
          checked={draft.deep_research}
          error={error('deep_research')}
          onChange={(on) => set('deep_research', on)}
        />
        <SwitchField
          label={t('reasoning')}
          hint={t('reasoningHint')}
          checked={draft.reasoning}
          error={error('reasoning')}
          onChange={(on) => set('reasoning', on)}
        />
      </div>
      <div class="grid2">
        {LIMITS.map(({ key, usual, min, max, unit }) => (
          <NumberField
            key={key}
            label={t(key)}
            hint={t(`hint_${key}`)}
            min={min}
            max={max}
            step={1}
            unit={t(unit)}
            placeholder={usual === null ? undefined : number(usual)}
            value={draft[key]}
            error={error(key)}
            onInput={(value) => set(key, value)}
          />
        ))}
      </div>
    </Section>
  )
}

/** Numbers that an agent may set, and what holds where it does not. */
const LIMITS = [
  { key: 'max_output_tokens', usual: 2048, min: 16, max: 32_768, unit: 'unitTokens' },
  { key: 'tool_call_max_tokens', usual: 4096, min: 64, max: 32_768, unit: 'unitTokens' },
  { key: 'history_window', usual: 20, min: 0, max: 100, unit: 'unitMessages' },
  { key: 'daily_tokens_per_user', usual: null, min: 1000, max: 1_000_000_000, unit: 'unitTokens' },
] as const
