import { CheckList, Fields, TextArea, TextField } from '../parts'
import type { SetField, SkillFields } from './skill'
import { textOrNull } from './skill'
import { type Surroundings, useToolOptions } from './surroundings'
import { useSkillWords } from './words'

interface SkillFormProps {
  draft: SkillFields
  set: SetField
  error: (path: string) => string | null
  around: Surroundings
}

/** The fields of a skill; its name is no field, since it stays. */
export function SkillForm({ draft, set, error, around }: SkillFormProps) {
  const t = useSkillWords()
  const toolOptions = useToolOptions(around)
  const baseOptions = around.bases.map((name) => ({ value: name, label: name }))
  return (
    <div class="sections measure">
      <Fields legend={t('whatItDoes')}>
        <TextArea
          label={t('description')}
          hint={t('descriptionHint')}
          value={draft.description}
          error={error('description')}
          maxLength={1000}
          rows={2}
          onInput={(text) => set('description', text)}
        />
        <TextArea
          label={t('instructions')}
          hint={t('instructionsHint')}
          value={draft.instructions}
          error={error('instructions')}
          maxLength={20_000}
          rows={12}
          count={20_000}
          onInput={(text) => set('instructions', text)}
        />
      </Fields>
      <div class="grid2">
        <CheckList
          label={t('tools')}
          hint={t('toolsHint')}
          options={toolOptions}
          value={draft.tools}
          error={error('tools')}
          onChange={(tools) => set('tools', tools)}
        />
        <CheckList
          label={t('bases')}
          hint={t('basesHint')}
          options={baseOptions}
          value={draft.knowledge_bases}
          error={error('knowledge_bases')}
          none={t('noBases')}
          onChange={(names) => set('knowledge_bases', names)}
        />
      </div>
      <Fields legend={t('menu')}>
        <TextField
          label={t('menuLabel')}
          hint={t('menuLabelHint')}
          value={draft.menu_label ?? ''}
          error={error('menu_label')}
          maxLength={40}
          optional
          onInput={(text) => set('menu_label', textOrNull(text))}
        />
        <TextArea
          label={t('menuPrompt')}
          hint={t('menuPromptHint')}
          value={draft.menu_prompt ?? ''}
          error={error('menu_prompt')}
          maxLength={4000}
          rows={2}
          optional
          onInput={(text) => set('menu_prompt', textOrNull(text))}
        />
        <TextField
          label={t('menuAnchors')}
          hint={t('menuAnchorsHint')}
          value={draft.menu_anchors ?? ''}
          error={error('menu_anchors')}
          maxLength={1000}
          optional
          onInput={(text) => set('menu_anchors', textOrNull(text))}
        />
      </Fields>
      <Fields legend={t('model')}>
        <TextField
          label={t('modelLabel')}
          hint={t('modelHint')}
          value={draft.model ?? ''}
          error={error('model')}
          maxLength={200}
          mono
          dir="ltr"
          optional
          onInput={(text) => set('model', textOrNull(text))}
        />
      </Fields>
    </div>
  )
}
