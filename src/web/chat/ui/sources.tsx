import { useId } from 'preact/hooks'
import { safeHref } from '../../kit/markdown/safe-url'
import type { CitedSource } from '../markdown/citations'
import { useLocale } from './context'
import { Icon } from './icons'

interface Props {
  cited: readonly CitedSource[]
  open: number | null
  onToggle: (label: number) => void
}

/** The sources of a reply in the order of its marks. A quote opens in place; a link leaves in a new tab. */
export function Sources({ cited, open, onToggle }: Props) {
  const { t } = useLocale()
  const id = useId()
  if (cited.length === 0) return null
  if (cited.every(({ source }) => source.title === null && source.quote === null)) {
    const documents = new Set(cited.map(({ source }) => source.documentId)).size
    return (
      <p class="quiet">
        <Icon name="doc" />
        {t('sourcesPrivate', { n: documents })}
      </p>
    )
  }
  return (
    <section class="sources" aria-labelledby={`${id}title`}>
      <p class="sources-title" id={`${id}title`}>
        {t('sourceCount', { n: cited.length })}
      </p>
      <ol>
        {cited.map(({ label, source }) => (
          <SourceRow
            key={label}
            id={`${id}${label}`}
            label={label}
            source={source}
            open={open === label}
            onToggle={() => onToggle(label)}
          />
        ))}
      </ol>
    </section>
  )
}

interface RowProps {
  id: string
  label: number
  source: CitedSource['source']
  open: boolean
  onToggle: () => void
}

function SourceRow({ id, label, source, open, onToggle }: RowProps) {
  const { t, number } = useLocale()
  const href = source.url === null ? null : safeHref(source.url)
  const title = source.title ?? t('sourceUntitled', { n: label })
  const words = (
    <span class="source-words">
      <bdi>{title}</bdi>
      {source.page !== null && <span class="source-page">{t('page', { n: source.page })}</span>}
    </span>
  )
  return (
    <li class={open ? 'source is-open' : 'source'} data-source={label}>
      <div class="source-row">
        <span class="source-mark" aria-hidden="true">
          {number(label)}
        </span>
        {source.quote === null ? (
          <span class="source-name">{words}</span>
        ) : (
          <button
            type="button"
            class="source-name"
            aria-expanded={open}
            aria-controls={id}
            onClick={onToggle}
          >
            {words}
            <Icon name="chevron" />
          </button>
        )}
        {href !== null && (
          <a
            class="icon-button small"
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            aria-label={`${t('sourceOpen')}: ${title} (${t('opensNewTab')})`}
          >
            <Icon name="external" />
          </a>
        )}
      </div>
      {source.quote !== null && (
        <blockquote id={id} dir="auto" hidden={!open}>
          {source.quote}
        </blockquote>
      )}
    </li>
  )
}
