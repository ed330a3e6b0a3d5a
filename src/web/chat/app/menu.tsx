import { useId, useState } from 'preact/hooks'
import type { Language } from '../../../config/names'
import { Icon } from '../../kit/icons'
import { applyTheme, currentTheme, LANGUAGES, type Theme } from '../../kit/prefs'
import { useApp, useChatState } from '../ui/context'
import { InstallItem } from './app-extras'
import { downloadChat } from './download'
import { HistoryItem } from './history'
import { SignIn } from './sign-in'
import { useLateWords } from './words'

interface Props {
  onLanguage: (lang: Language) => void
  /** An entry did its work: the menu closes. */
  onDone: () => void
  onAccount: () => void
}

/** What the menu of the page offers. */
export function MenuItems({ onLanguage, onDone, onAccount }: Props) {
  const { boot, agent, chat, locale } = useApp()
  const { entries } = useChatState()
  const { t } = locale
  const id = useId()
  const [theme, setTheme] = useState<Theme>(currentTheme)
  const words = useLateWords()
  const [download, setDownload] = useState<'idle' | 'running' | 'partial'>('idle')
  const save = async () => {
    setDownload('running')
    const isWhole = await downloadChat(agent.name, chat, locale, words?.('earlierFailed') ?? '…')
    setDownload(isWhole ? 'idle' : 'partial')
    if (isWhole) onDone()
  }
  return (
    <>
      {boot.features.history && chat.token !== null && <HistoryItem onDone={onDone} />}
      <label class="menu-row" for={`${id}lang`}>
        <Icon name="globe" />
        {t('language')}
      </label>
      <select
        id={`${id}lang`}
        value={locale.lang}
        onChange={(event) => {
          const chosen = LANGUAGES.find(([lang]) => lang === event.currentTarget.value)
          if (chosen) onLanguage(chosen[0])
        }}
      >
        {LANGUAGES.map(([lang, name]) => (
          <option key={lang} value={lang} lang={lang}>
            {name}
          </option>
        ))}
      </select>
      <fieldset class="segments">
        <legend class="menu-row">
          <Icon name="theme" />
          {t('theme')}
        </legend>
        <div class="segment-row">
          {(['auto', 'light', 'dark'] as const).map((value) => (
            <label key={value}>
              <input
                type="radio"
                name={`${id}theme`}
                value={value}
                checked={theme === value}
                onChange={() => {
                  setTheme(value)
                  applyTheme(value)
                }}
              />
              <span>{t(THEME_WORDS[value])}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <button
        type="button"
        class="menu-item"
        disabled={entries.length === 0 || download === 'running'}
        onClick={() => void save()}
      >
        <Icon name="download" />
        {t('download')}
      </button>
      <p class="quiet" role="status">
        {download === 'running' && words?.('loading')}
        {download === 'partial' && words?.('earlierFailed')}
      </p>
      <InstallItem onDone={onDone} />
      <Identity onAccount={onAccount} onDone={onDone} />
    </>
  )
}

/** The way to sign in, or to the account and out. A token that the page got elsewhere (a proxy tenant's) is an account too. */
function Identity({ onAccount, onDone }: Pick<Props, 'onAccount' | 'onDone'>) {
  const { boot, chat, locale } = useApp()
  const { t } = locale
  if (chat.userId() !== null) {
    return (
      <>
        <button type="button" class="menu-item" onClick={onAccount}>
          <Icon name="person" />
          {t('account')}
        </button>
        <button type="button" class="menu-item" onClick={() => chat.signOut()}>
          <Icon name="leave" />
          {t('signOut')}
        </button>
      </>
    )
  }
  return boot.features.signIn ? <SignIn onDone={onDone} /> : null
}

const THEME_WORDS = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' } as const
