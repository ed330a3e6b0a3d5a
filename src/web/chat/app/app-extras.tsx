import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import { readStored, writeStored } from '../../kit/net/storage'
import { unconfirmedKey } from '../../kit/net/unconfirmed'
import { useApp, useChatState } from '../ui/context'
import {
  installWay,
  isInstalled,
  isReturning,
  noteDismissal,
  REPLIES_TO_OFFER,
  wasDismissed,
} from './install'
import { LazyGuide } from './lazy-guide'
import { PageWorker } from './service-worker'

/** Lines above the conversation: an address to confirm, a newer version, and the offer to install the page. Names the window too. */
export function AppBanners() {
  const { boot, agent } = useApp()
  useEffect(() => {
    document.title = `${agent.name} · ${boot.tenant.name}`
  }, [agent, boot])
  return (
    <>
      <UnconfirmedBanner />
      <UpdateBanner />
      <InstallCard />
      <LazyGuide />
    </>
  )
}

/** Quiet, and gone for good when closed; the next sign-in asks again. */
function UnconfirmedBanner() {
  const { boot, chat, locale } = useApp()
  const key = unconfirmedKey(boot.tenant.id)
  const [waits, setWaits] = useState(() => (chat.userId() === null ? null : readStored(key)))
  if (waits === null) return null
  const close = () => {
    writeStored(key, null)
    setWaits(null)
  }
  return (
    <div class="banner" role="status">
      <Icon name="info" />
      {locale.t(waits === 'sent' ? 'confirmEmail' : 'confirmNoMail')}
      <button type="button" class="link-button" onClick={close}>
        {locale.t('close')}
      </button>
    </div>
  )
}

let worker: PageWorker | null = null

function UpdateBanner() {
  const { boot, locale } = useApp()
  const [newer, setNewer] = useState(false)
  useEffect(() => {
    // A frame on another site is no app of its own.
    if (worker !== null || boot.framed) return
    worker = new PageWorker(boot.app, () => setNewer(true))
    // A browser that refuses a worker still chats.
    void worker.start([boot.locales[locale.lang]]).catch(() => undefined)
  }, [boot, locale])
  if (!newer) return null
  return (
    <div class="banner" role="status">
      <Icon name="info" />
      {locale.t('updateReady')}
      <button type="button" class="link-button" onClick={() => worker?.reload()}>
        {locale.t('updateReload')}
      </button>
    </div>
  )
}

function InstallCard() {
  const { boot, agent, locale } = useApp()
  const { t } = locale
  const { entries } = useChatState()
  const page = `${boot.tenant.id}:${boot.agent.id}`
  const [returning] = useState(() => isReturning(page))
  const [gone, setGone] = useState(() => isInstalled() || wasDismissed(page))
  const [steps, setSteps] = useState(false)
  useInstallable()
  useEffect(() => {
    const hide = () => setGone(true)
    addEventListener('appinstalled', hide)
    return () => removeEventListener('appinstalled', hide)
  }, [])

  const way = installWay()
  const replies = entries.filter((entry) => entry.kind === 'reply' && entry.state === 'done').length
  const isDue = returning || replies >= REPLIES_TO_OFFER
  // A browser that neither asks nor has a known way gets the entry in the menu, but no card.
  if (boot.app.install !== 'auto' || gone || !isDue || way === 'menu') return null
  const dismiss = () => {
    noteDismissal(page)
    setGone(true)
  }
  return (
    <aside class="banner install" aria-label={t('install')}>
      <Icon name="download" />
      <p>
        <strong>{t('install')}</strong> {t('installText', { agent: agent.name })}
      </p>
      {steps ? (
        <Steps />
      ) : (
        <button
          type="button"
          class="button primary"
          onClick={() => {
            if (way === 'ios') setSteps(true)
            else void ask().then((accepted) => accepted && setGone(true))
          }}
        >
          {t('installButton')}
        </button>
      )}
      <button type="button" class="button" onClick={dismiss}>
        {t('notNow')}
      </button>
    </aside>
  )
}

/** The entry in the menu: the browser's own question, or the steps by hand. */
export function InstallItem({ onDone }: { onDone: () => void }) {
  const { boot, locale } = useApp()
  const [steps, setSteps] = useState(false)
  useInstallable()
  if (boot.app.install === 'off' || isInstalled()) return null
  return (
    <>
      <button
        type="button"
        class="menu-item"
        aria-expanded={installWay() === 'prompt' ? undefined : steps}
        onClick={() => {
          if (installWay() === 'prompt') void ask().then(onDone)
          else setSteps(!steps)
        }}
      >
        <Icon name="arrowDown" />
        {locale.t('install')}
      </button>
      {steps && <Steps />}
    </>
  )
}

function Steps() {
  const { t } = useApp().locale
  if (installWay() !== 'ios') return <p class="steps">{t('installOther')}</p>
  return (
    <ol class="steps">
      <li>{t('installIosShare')}</li>
      <li>{t('installIosAdd')}</li>
    </ol>
  )
}

/** The browser's own question; it can be asked once. */
async function ask(): Promise<boolean> {
  const event = window.parleyInstall
  if (!event) return false
  window.parleyInstall = null
  const { outcome } = await event.prompt()
  return outcome === 'accepted'
}

/** Renders again when the browser says that the page may be installed. */
function useInstallable(): void {
  const [, setCount] = useState(0)
  useEffect(() => {
    const update = () => setTimeout(() => setCount((count) => count + 1))
    addEventListener('beforeinstallprompt', update)
    return () => removeEventListener('beforeinstallprompt', update)
  }, [])
}
