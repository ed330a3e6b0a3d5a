import { useEffect, useRef } from 'preact/hooks'
import { safeHref } from '../../kit/markdown/safe-url'
import { citedSources } from '../markdown/citations'
import type { ReplyEntry } from '../model/chat'
import { type PanelTarget, useChatState, useLocale } from './context'
import { Icon } from './icons'

/** The sources of one reply beside the conversation, so that looking one up does not move the text being read. */
export function SourcePanel({ target, onClose }: { target: PanelTarget; onClose: () => void }) {
  const { t, number } = useLocale()
  const { entries } = useChatState()
  const root = useRef<HTMLElement>(null)
  const reply = entries.find((entry): entry is ReplyEntry => entry.key === target.replyKey)
  const cited = reply?.sources ? citedSources(reply.text, reply.sources) : []
  const gone = cited.length === 0

  useEffect(() => {
    if (gone) onClose()
  }, [gone, onClose])
  useEffect(() => {
    const row = root.current?.querySelector<HTMLElement>(`[data-source="${target.label}"]`)
    row?.scrollIntoView({ block: 'nearest' })
    row?.focus({ preventScroll: true })
  }, [target])

  return (
    <aside
      class="panel"
      aria-label={t('sources')}
      ref={root}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <header class="panel-head">
        <h2>{t('sources')}</h2>
        <button
          type="button"
          class="icon-button"
          aria-label={t('close')}
          title={t('close')}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </header>
      <ol class="panel-list">
        {cited.map(({ label, source }) => {
          const href = source.url === null ? null : safeHref(source.url)
          const title = source.title ?? t('sourceUntitled', { n: label })
          return (
            <li
              key={label}
              class={label === target.label ? 'panel-source is-target' : 'panel-source'}
              data-source={label}
              tabIndex={-1}
            >
              <span class="source-mark">{number(label)}</span>
              <div class="source-words">
                <p class="card-title">
                  <bdi>{title}</bdi>
                </p>
                {source.page !== null && <p class="small muted">{t('page', { n: source.page })}</p>}
                {source.quote !== null && <blockquote dir="auto">{source.quote}</blockquote>}
                {href !== null && (
                  <a href={href} target="_blank" rel="noopener noreferrer nofollow">
                    {t('sourceOpen')}
                    <Icon name="external" />
                    <span class="sr"> ({t('opensNewTab')})</span>
                  </a>
                )}
              </div>
            </li>
          )
        })}
      </ol>
    </aside>
  )
}
