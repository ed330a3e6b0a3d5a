import { useEffect, useMemo, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import { HOST_KEY, INLINE_KEY } from '../../kit/widget/protocol'
import { type FrameProps, useApp } from '../ui/context'
import { Host } from './host'

/** On smaller screens, and in smaller windows, the chat takes all there is. */
const SMALL_PX = 640
/** What the panel is wide before it is widened. */
const USUAL_PX = 400

/** What closes the chat on another site's page; it also speaks with the loader there. Nothing on a page of its own. */
export function Frame({ onLanguage }: FrameProps) {
  const { chat, locale } = useApp()
  const facts = useMemo(() => new URLSearchParams(location.hash.slice(1)), [])
  const origin = parent === window ? null : facts.get(HOST_KEY)
  const host = useMemo(() => (origin === null ? null : new Host(origin, chat)), [origin, chat])

  const [, redraw] = useState(0)
  useEffect(() => {
    const end = new AbortController()
    addEventListener('resize', () => redraw((count) => count + 1), { signal: end.signal })
    return () => end.abort()
  }, [])
  useEffect(() => host?.listen(onLanguage), [host, onLanguage])
  useEffect(() => host?.start(), [host])

  if (host === null || facts.has(INLINE_KEY)) return null
  const { t } = locale
  const isWide = innerWidth > USUAL_PX
  return (
    <>
      {Math.min(screen.width, outerWidth || screen.width) >= SMALL_PX && (
        <button
          type="button"
          class="icon-button"
          aria-label={t('chatWidth')}
          title={t('chatWidth')}
          aria-pressed={isWide}
          onClick={() => host.tell({ type: 'widen' })}
        >
          <Icon name="widen" />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={t('close')}
        title={t('close')}
        onClick={() => host.tell({ type: 'close' })}
      >
        <Icon name="close" />
      </button>
    </>
  )
}
