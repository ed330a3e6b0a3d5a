import { useState } from 'preact/hooks'
import type { Language } from '../../../config/names'
import { applyTheme, currentTheme, type Theme } from '../../kit/prefs'
import { IconButton, Segmented } from '../parts'
import { useShell } from '../words'
import { LanguageSelect } from './language-select'
import { useDisclosure } from './use-disclosure'

const THEMES = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' } as const

/** Language and theme. */
export function Looks({ onLanguage }: { onLanguage: (lang: Language) => Promise<void> }) {
  const t = useShell()
  const { box, open, toggle } = useDisclosure()
  const [theme, setTheme] = useState<Theme>(currentTheme)
  return (
    <div class="menu in-bar" ref={box}>
      <IconButton icon="globe" label={t('languageAndTheme')} expanded={open} onClick={toggle} />
      <div class="popover stack" hidden={!open}>
        <LanguageSelect onLanguage={onLanguage} />
        <Segmented
          label={t('theme')}
          value={theme}
          options={(['auto', 'light', 'dark'] as const).map((value) => ({
            value,
            label: t(THEMES[value]),
          }))}
          onChange={(value) => {
            setTheme(value)
            applyTheme(value)
          }}
        />
      </div>
    </div>
  )
}
