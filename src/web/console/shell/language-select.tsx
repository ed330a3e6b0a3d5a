import type { Language } from '../../../config/names'
import { LANGUAGES } from '../../kit/prefs'
import { Problem, SelectField } from '../parts'
import { useAct } from '../use-load'
import { useFormat, useShell } from '../words'

/** Every language by its own name. */
export function LanguageSelect({ onLanguage }: { onLanguage: (lang: Language) => Promise<void> }) {
  const t = useShell()
  const { lang } = useFormat()
  const { problem, act } = useAct()
  return (
    <>
      <SelectField
        label={t('language')}
        value={lang}
        options={LANGUAGES.map(([value, label]) => ({ value, label }))}
        onChange={(wanted) => void act(() => onLanguage(wanted))}
      />
      <Problem of={problem} />
    </>
  )
}
