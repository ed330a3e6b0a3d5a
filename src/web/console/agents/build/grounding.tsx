import { CheckList, SwitchField, TextArea } from '../../parts'
import { Link } from '../../router'
import type { BaseRow } from '../types'
import type { SectionProps } from './instructions'
import { Section } from './section'
import { useBuildWords } from './words'

/** What the agent knows from, and how strictly it keeps to that. */
export function Grounding({ editor, bases }: SectionProps & { bases: readonly BaseRow[] }) {
  const t = useBuildWords()
  const { draft, set, error } = editor
  return (
    <Section id="grounding" title={t('grounding')} hint={t('groundingHint')}>
      <CheckList
        label={t('bases')}
        options={bases.map(({ name, document_count }) => ({
          value: name,
          label: name,
          hint: t('documentCount', { n: document_count }),
        }))}
        value={draft.knowledge_bases}
        error={error('knowledge_bases')}
        none={t('noBases')}
        onChange={(value) => set('knowledge_bases', value)}
      />
      <p class="small">
        <Link to="/knowledge">{t('toKnowledge')}</Link>
      </p>
      <div class="switches">
        <SwitchField
          label={t('grounding_required')}
          hint={t('groundingRequiredHint')}
          checked={draft.grounding_required}
          error={error('grounding_required')}
          onChange={(on) => set('grounding_required', on)}
        />
        <SwitchField
          label={t('public_sources')}
          hint={t('publicSourcesHint')}
          checked={draft.public_sources}
          error={error('public_sources')}
          onChange={(on) => set('public_sources', on)}
        />
        <SwitchField
          label={t('on_demand_context')}
          hint={t('onDemandContextHint')}
          checked={draft.on_demand_context}
          error={error('on_demand_context')}
          onChange={(on) => set('on_demand_context', on)}
        />
        <SwitchField
          label={t('injection_guard')}
          hint={t('injectionGuardHint')}
          checked={draft.injection_guard}
          error={error('injection_guard')}
          onChange={(on) => set('injection_guard', on)}
        />
      </div>
      <TextArea
        label={t('noMatchReply')}
        hint={t('noMatchReplyHint')}
        value={draft.no_match_reply ?? ''}
        rows={2}
        maxLength={4000}
        error={error('no_match_reply')}
        onInput={(value) => set('no_match_reply', value === '' ? null : value)}
      />
    </Section>
  )
}
