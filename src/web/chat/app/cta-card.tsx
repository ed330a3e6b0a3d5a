import { useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import { safeHref } from '../../kit/markdown/safe-url'
import type { CallToAction } from '../../kit/turn/frames'
import type { Chat } from '../chat'
import { useApp } from '../ui/context'

/** What the visitor may do next. Who dismisses it is shown none any more in this chat. */
export function CtaCard({ cta }: { cta: CallToAction }) {
  const { chat, locale } = useApp()
  const { t } = locale
  const [gone, setGone] = useState(false)
  const href = cta.url === null ? null : safeHref(cta.url)
  if (gone) return null
  const dismiss = () => {
    setGone(true)
    // Nor does a reload bring it back.
    chat.rewrite(
      chat.state.entries.map((entry) => (entry.kind === 'reply' ? { ...entry, cta: null } : entry)),
    )
    void tellDismissed(chat)
    document.querySelector<HTMLElement>('.composer textarea')?.focus()
  }
  return (
    <aside class="card cta" aria-label={cta.title}>
      <div>
        <p class="card-title" dir="auto">
          {cta.title}
        </p>
        {cta.text !== null && <p dir="auto">{cta.text}</p>}
        {href !== null && (
          <a href={href} target="_blank" rel="noopener noreferrer nofollow">
            {t('sourceOpen')}
            <Icon name="external" />
          </a>
        )}
      </div>
      <button type="button" class="icon-button small" aria-label={t('dismiss')} onClick={dismiss}>
        <Icon name="close" />
      </button>
    </aside>
  )
}

/** No call to action is shown any more in this chat. Where the server does not hear of it, the card is gone all the same. */
async function tellDismissed({ state, token }: Chat): Promise<void> {
  if (state.sessionId === null || token === null) return
  await fetch('/v1/chat/dismiss', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ session_id: state.sessionId }),
  }).catch(() => null)
}
