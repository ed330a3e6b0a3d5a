import { type Editor, TextArea, TextField } from '../../parts'
import type { Draft } from './draft'
import { Section } from './section'
import { useBuildWords } from './words'

export interface SectionProps {
  editor: Editor<Draft>
}

const LONGEST = 20_000

/** Who the agent is and what it does. */
export function Instructions({ editor }: SectionProps) {
  const t = useBuildWords()
  const { draft, set, error } = editor
  return (
    <Section id="instructions" title={t('instructions')} hint={t('instructionsHint')}>
      <TextField
        label={t('displayName')}
        hint={t('displayNameHint')}
        value={draft.display_name ?? ''}
        maxLength={80}
        error={error('display_name')}
        onInput={(value) => set('display_name', value === '' ? null : value)}
      />
      <TextArea
        label={t('soul')}
        hint={t('soulHint')}
        value={draft.soul}
        rows={5}
        maxLength={LONGEST}
        count={LONGEST}
        error={error('soul')}
        onInput={(value) => set('soul', value)}
      />
      <TextArea
        label={t('task')}
        hint={t('taskHint')}
        value={draft.task}
        rows={8}
        maxLength={LONGEST}
        count={LONGEST}
        error={error('task')}
        onInput={(value) => set('task', value)}
      />
    </Section>
  )
}
