import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Language } from '../../../config/names'
import { useLazy } from '../app/lazy-app'
import { applyTheme, LANGUAGES, storedTheme, type Theme } from '../prefs'
import { useApp, useChatState } from './context'
import { Icon } from './icons'
import { LazyAccount } from './lazy-account'

export function Header({ onLanguage }: { onLanguage: (lang: Language) => void }) {
  const { boot, agent, chat, locale } = useApp()
  const { entries, turn } = useChatState()
  const { tenant } = boot
  return (
    <header class="bar">
      <div class="brand">
        {tenant.logoUrl === null ? (
          <span class="tile" aria-hidden="true">
            {[...agent.name][0]?.toLocaleUpperCase()}
          </span>
        ) : (
          <img class="logo" src={tenant.logoUrl} alt="" />
        )}
        <div class="names">
          <h1 dir="auto">{agent.name}</h1>
          <p class="by" dir="auto">
            {tenant.name}
          </p>
        </div>
      </div>
      <button
        type="button"
        class="button bar-button"
        aria-disabled={turn !== 'idle' || entries.length === 0}
        onClick={() => chat.startNew()}
      >
        <Icon name="newChat" />
        <span class="bar-label">{locale.t('newChat')}</span>
      </button>
      <Menu onLanguage={onLanguage} />
    </header>
  )
}

/** Language, theme and the transcript, in a panel that Escape or a click elsewhere closes. */
function Menu({ onLanguage }: { onLanguage: (lang: Language) => void }) {
  const { agent, chat, locale } = useApp()
  const { entries } = useChatState()
  const { t } = locale
  const extras = useLazy('extras', true)
  const history = useLazy('history', chat.userId() !== null)
  const id = useId()
  const [open, setOpen] = useState(false)
  const [theme, setTheme] = useState<Theme>(storedTheme)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [account, setAccount] = useState(false)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }

  useLayoutEffect(() => {
    if (!open) return
    root.current?.querySelector<HTMLElement>('select')?.focus()
    const end = new AbortController()
    const { signal } = end
    const leave = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave, { signal })
    document.addEventListener('focusin', leave, { signal })
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return
        setOpen(false)
        button.current?.focus()
      },
      { signal },
    )
    return () => end.abort()
  }, [open])

  return (
    <div class="menu" ref={root}>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={t('menu')}
        title={t('menu')}
        aria-expanded={open}
        aria-controls={`${id}panel`}
        onClick={() => setOpen(!open)}
      >
        <Icon name="dots" />
      </button>
      <div class="popover" id={`${id}panel`} hidden={!open}>
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
          disabled={entries.length === 0}
          onClick={() => {
            void import('../app/download').then((module) =>
              module.downloadChat(agent.name, chat, locale),
            )
            close()
          }}
        >
          <Icon name="download" />
          {t('download')}
        </button>
        <Identity
          onAccount={() => {
            setOpen(false)
            setAccount(true)
          }}
        />
        {history !== null && <history.HistoryItem onDone={close} />}
        {extras !== null && <extras.InstallItem onDone={close} />}
      </div>
      {account && (
        <LazyAccount
          onClose={() => {
            setAccount(false)
            button.current?.focus()
          }}
        />
      )}
    </div>
  )
}

/** The way to sign in, or to the account and out. A token that the page got elsewhere (a proxy tenant's) is an account too. */
function Identity({ onAccount }: { onAccount: () => void }) {
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
  if (!boot.features.signIn) return null
  const back = encodeURIComponent(location.pathname + location.search)
  return (
    <a
      class="menu-item"
      href={`/login/${boot.tenant.id}?return=${back}&lang=${locale.lang}`}
      rel="nofollow"
    >
      <Icon name="person" />
      {t('signIn')}
    </a>
  )
}

const THEME_WORDS = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' } as const
