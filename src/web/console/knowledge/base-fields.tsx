import { SelectField, SwitchField, TextArea, TextField } from '../parts'
import type { BaseFields as Values } from './base'
import { useKnowledgeWords } from './words'

interface BaseFieldsProps {
  draft: Values
  set: <K extends keyof Values>(name: K, value: Values[K]) => void
  error: (path: string) => string | null
  nameHint?: string
}

/** The fields of a base, for a new one and for one that is changed. */
export function BaseFields({ draft, set, error, nameHint }: BaseFieldsProps) {
  const t = useKnowledgeWords()
  return (
    <>
      <TextField
        label={t('baseName')}
        hint={nameHint}
        value={draft.name}
        maxLength={64}
        error={error('name')}
        onInput={(text) => set('name', text)}
      />
      <TextArea
        label={t('instructions')}
        hint={t('instructionsHint')}
        value={draft.instructions}
        rows={4}
        maxLength={20_000}
        optional
        error={error('instructions')}
        onInput={(text) => set('instructions', text)}
      />
      <SelectField
        label={t('refresh')}
        hint={t('refreshHint')}
        value={draft.refresh}
        error={error('refresh')}
        options={[
          { value: 'off', label: t('refreshOff') },
          { value: 'daily', label: t('refreshDaily') },
          { value: 'weekly', label: t('refreshWeekly') },
        ]}
        onChange={(rate) => set('refresh', rate)}
      />
      <SwitchField
        label={t('rerank')}
        hint={t('rerankHint')}
        checked={draft.rerank}
        error={error('rerank')}
        onChange={(isOn) => set('rerank', isOn)}
      />
      <SwitchField
        label={t('downloads')}
        hint={t('downloadsHint')}
        checked={draft.downloads}
        error={error('downloads')}
        onChange={(isOn) => set('downloads', isOn)}
      />
    </>
  )
}
