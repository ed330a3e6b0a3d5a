import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import { citedSources } from '../../kit/markdown/citations'
import type { ReplyEntry } from '../model/chat'
import { useChatState, useLocale } from '../ui/context'
import type { PanelProps } from '../ui/lazy-proof'
import { byDocument } from './documents'
import { DocumentList } from './sources'
import { useProofWords } from './words'

/** The sources of one reply beside the conversation, so that looking one up does not move the text being read. */
export function SourcePanel({ target, onClose }: PanelProps) {
  const { t } = useLocale()
  const { entries } = useChatState()
  const words = useProofWords()
  const id = useId()
  const root = useRef<HTMLElement>(null)
  const [open, setOpen] = useState<number | null>(target.label)
  const reply = entries.find((entry): entry is ReplyEntry => entry.key === target.replyKey)
  const documents = useMemo(
    () => (reply?.sources ? byDocument(citedSources(reply.text, reply.sources)) : []),
    [reply],
  )
  const gone = documents.length === 0

  useEffect(() => {
    if (gone) onClose()
  }, [gone, onClose])
  useEffect(() => setOpen(target.label), [target])
  useEffect(() => {
    const row = root.current?.querySelector<HTMLElement>(`[data-source~="${target.label}"]`)
    const place = row?.querySelector(`[data-place="${target.label}"]`) ?? row
    place?.scrollIntoView({ block: 'nearest' })
    row?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true })
  }, [target, words])

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
      <div class="panel-list">
        {reply && words && (
          <DocumentList
            {...{ id, reply, documents, open, words }}
            onToggle={(label) => setOpen((now) => (now === label ? null : label))}
          />
        )}
      </div>
    </aside>
  )
}
