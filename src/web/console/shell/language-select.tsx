import type { Language } from '../../../config/names'
import { LANGUAGES } from '../../kit/prefs'
import { SelectField } from '../parts'
import { useFormat, useShell } from '../words'

/** Every language by its own name. */
export function LanguageSelect({ onLanguage }: { onLanguage: (lang: Language) => void }) {
  const t = useShell()
  const { lang } = useFormat()
  return (
    <SelectField
      label={t('language')}
      value={lang}
      options={LANGUAGES.map(([value, label]) => ({ value, label }))}
      onChange={onLanguage}
    />
  )
}
