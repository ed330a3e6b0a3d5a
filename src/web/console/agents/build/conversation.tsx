import { NumberField, SwitchField, TextArea } from '../../parts'
import { Link } from '../../router'
import type { SkillRow } from '../types'
import type { SectionProps } from './instructions'
import { MenuItems } from './menu-items'
import { Section } from './section'
import { useBuildWords } from './words'

interface Props extends SectionProps {
  agent: string
  skills: readonly SkillRow[]
}

/** How a conversation begins, goes on, and is handed to a person. */
export function Conversation({ editor, agent, skills }: Props) {
  const t = useBuildWords()
  const { draft, set, error } = editor
  const handsOff = draft.tools.includes('handoff')
  return (
    <Section id="conversation" title={t('conversation')}>
      <TextArea
        label={t('greeting')}
        hint={t('greetingHint')}
        value={draft.greeting ?? ''}
        rows={3}
        maxLength={4000}
        error={error('greeting')}
        onInput={(value) => set('greeting', value === '' ? null : value)}
      />
      <SwitchField
        label={t('auto_greeting')}
        hint={t('autoGreetingHint')}
        checked={draft.auto_greeting}
        error={error('auto_greeting')}
        onChange={(on) => set('auto_greeting', on)}
      />
      <MenuItems
        value={draft.menu_items}
        skills={skills}
        error={error('menu_items')}
        onChange={(items) => set('menu_items', items)}
      />
      <SwitchField
        label={t('auto_suggest')}
        hint={t('autoSuggestHint')}
        checked={draft.auto_suggest}
        error={error('auto_suggest')}
        onChange={(on) => set('auto_suggest', on)}
      />
      {(draft.auto_suggest || draft.suggest_prompt !== null) && (
        <TextArea
          label={t('suggestPrompt')}
          hint={t('suggestPromptHint')}
          value={draft.suggest_prompt ?? ''}
          rows={2}
          maxLength={4000}
          error={error('suggest_prompt')}
          onInput={(value) => set('suggest_prompt', value === '' ? null : value)}
        />
      )}
      <SwitchField
        label={t('ask_forms')}
        hint={t('askFormsHint')}
        checked={draft.ask_forms}
        error={error('ask_forms')}
        onChange={(on) => set('ask_forms', on)}
      />
      <SwitchField
        label={t('proactive_cta')}
        hint={t('proactiveCtaHint')}
        checked={draft.proactive_cta}
        error={error('proactive_cta')}
        onChange={(on) => set('proactive_cta', on)}
      />
      {(draft.proactive_cta || draft.cta_prompt !== null) && (
        <TextArea
          label={t('ctaPrompt')}
          hint={t('ctaPromptHint')}
          value={draft.cta_prompt ?? ''}
          rows={3}
          maxLength={4000}
          error={error('cta_prompt')}
          onInput={(value) => set('cta_prompt', value === '' ? null : value)}
        />
      )}
      {(handsOff || draft.handoff_hours !== null) && (
        <NumberField
          label={t('handoffHours')}
          hint={t('handoffHoursHint')}
          min={1}
          max={720}
          step={1}
          unit={t('unitHours')}
          placeholder="24"
          value={draft.handoff_hours}
          error={error('handoff_hours')}
          onInput={(value) => set('handoff_hours', value)}
        />
      )}
      <p class="small">
        <Link to={`/storylines?${new URLSearchParams({ agent })}`}>{t('toStorylines')}</Link>
      </p>
    </Section>
  )
}
