import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import { useLate } from '../app/lazy-app'
import { OUTDATED } from '../app/load-code'
import { useApp, useChatState } from './context'

/** Lines above the conversation: the state of the connection, what comes later of the page, and the undo of "New chat". */
export function Banners() {
  const { chat, locale } = useApp()
  const { t } = locale
  const { connection, previous } = useChatState()
  const online = useOnline()
  const late = useLate()
  const isOutdated = useOutdated()
  return (
    <div class="banners">
      {!online ? (
        <p class="banner is-warn" role="status">
          <Icon name="offline" />
          {t('offline')}
        </p>
      ) : (
        connection === 'lost' && (
          <p class="banner is-warn" role="status">
            <Icon name="retry" />
            {t('reconnecting')}
          </p>
        )
      )}
      {late !== null && <late.AppBanners />}
      {isOutdated && (
        <p class="banner" role="status">
          <Icon name="info" />
          {t('updateReady')}
          <button type="button" class="link-button" onClick={() => location.reload()}>
            {t('updateReload')}
          </button>
        </p>
      )}
      {previous !== null && (
        <div class="banner" role="status">
          <Icon name="check" />
          {t('newChatStarted')}
          <button type="button" class="link-button" onClick={() => chat.undoNew()}>
            {t('undo')}
          </button>
        </div>
      )}
    </div>
  )
}

/** Whether the page has been open for so long that what it would fetch is no longer there. */
function useOutdated(): boolean {
  const [isOutdated, setOutdated] = useState(false)
  useEffect(() => {
    const note = () => setOutdated(true)
    addEventListener(OUTDATED, note)
    return () => removeEventListener(OUTDATED, note)
  }, [])
  return isOutdated
}

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const update = () => setOnline(navigator.onLine)
    addEventListener('online', update)
    addEventListener('offline', update)
    return () => {
      removeEventListener('online', update)
      removeEventListener('offline', update)
    }
  }, [])
  return online
}
