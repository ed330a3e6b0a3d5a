import { useEffect, useRef, useState } from 'preact/hooks'
import type { Language } from '../../../config/names'
import { applyTheme, currentTheme, type Theme } from '../../kit/prefs'
import { Button, IconButton, Segmented } from '../parts'
import { useShell } from '../words'
import { LanguageSelect } from './language-select'

interface Props {
  onLanguage: (lang: Language) => Promise<void>
  onLeave: () => void
}

const THEMES = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' } as const

/** Language, theme, and the way out. */
export function Looks({ onLanguage, onLeave }: Props) {
  const t = useShell()
  const [open, setOpen] = useState(false)
  const [theme, setTheme] = useState<Theme>(currentTheme)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!open) return undefined
    const onPointer = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      box.current?.querySelector<HTMLElement>('button')?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [open])
  return (
    <div class="menu looks" ref={box}>
      <IconButton
        icon="globe"
        label={t('languageAndTheme')}
        expanded={open}
        onClick={() => setOpen(!open)}
      />
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
        <Button icon="leave" onClick={onLeave}>
          {t('signOut')}
        </Button>
      </div>
    </div>
  )
}
