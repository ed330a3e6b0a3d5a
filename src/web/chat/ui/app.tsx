import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Language } from '../../../config/names'
import { applyLocale, storeLanguage } from '../../kit/prefs'
import { useLate } from '../app/lazy-app'
import { type Locale, loadLocale } from '../i18n'
import { Announcer } from './announcer'
import { Banners } from './banners'
import { Composer } from './composer'
import { App, type AppContext, type PanelTarget } from './context'
import { Header } from './header'
import { LazyPanel } from './lazy-proof'
import { Log } from './log'

/** From here on there is room for the conversation and a panel beside it. */
const WIDE = '(min-width: 1180px)'

interface Props extends Pick<AppContext, 'boot' | 'chat' | 'Frame'> {
  initial: Locale
}

/** The whole page. The language may change while it is open; everything else about the agent is fixed. */
export function ChatApp({ boot, chat, initial, Frame }: Props) {
  const [locale, setLocale] = useState(initial)
  const [panel, setPanel] = useState<PanelTarget | null>(null)
  const opener = useRef<Element | null>(null)
  const late = useLate()
  const context = useMemo(() => {
    const showBeside = (target: PanelTarget) => {
      if (!matchMedia(WIDE).matches) return false
      opener.current = document.activeElement
      setPanel(target)
      return true
    }
    const agent = boot.agent.translations[locale.lang] ?? boot.agent.words
    return { boot, agent, chat, locale, showBeside, Frame }
  }, [boot, chat, locale, Frame])

  useEffect(() => {
    applyLocale(locale)
    chat.lang = locale.lang
    chat.greetingId = context.agent.greetingId
  }, [chat, locale])

  const changeLanguage = async (lang: Language) => {
    const next = await loadLocale(lang, boot.locales).catch(() => null)
    if (next === null) return
    storeLanguage(lang)
    setLocale(next)
  }

  return (
    <App value={context}>
      <div class="page">
        <button
          type="button"
          class="button skip"
          onClick={() => document.querySelector<HTMLElement>('.composer textarea')?.focus()}
        >
          {locale.t('skip')}
        </button>
        <Header onLanguage={(lang) => void changeLanguage(lang)} />
        <div class="body">
          {boot.features.history &&
            (late === null ? <div class="history-column" /> : <late.HistoryColumn />)}
          <main class="main">
            <Banners />
            <Log />
            <div class="dock">
              <div class="column">
                <Composer />
                <p class="disclaimer">
                  {locale.t(boot.features.sources ? 'disclaimerLinked' : 'disclaimer')}
                </p>
              </div>
            </div>
            <Announcer />
          </main>
          {panel !== null && (
            <LazyPanel
              target={panel}
              onClose={() => {
                setPanel(null)
                if (opener.current instanceof HTMLElement) opener.current.focus()
              }}
            />
          )}
        </div>
      </div>
    </App>
  )
}
