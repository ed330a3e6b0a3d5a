import { useId } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import type { CitedSource } from '../../kit/markdown/citations'
import { safeHref } from '../../kit/markdown/safe-url'
import type { ReplyEntry } from '../model/chat'
import { useLocale } from '../ui/context'
import { byDocument, type CitedDocument } from './documents'
import { proofName } from './light-proof'
import { Place } from './place'
import type { ProofTranslate } from './words'

interface Props {
  reply: ReplyEntry
  cited: readonly CitedSource[]
  open: number | null
  onToggle: (label: number) => void
  words: ProofTranslate
}

/** The sources of a reply, one entry a document in the order of its marks. Its places open below it; a link leaves in a new tab. */
export function Sources({ reply, cited, open, onToggle, words }: Props) {
  const { t } = useLocale()
  const id = useId()
  if (cited.length === 0) return null
  const documents = byDocument(cited)
  if (cited.every(({ source }) => source.title === null && source.quote === null)) {
    return (
      <p class="quiet">
        <Icon name="doc" />
        {t('sourcesPrivate', { n: documents.length })}
      </p>
    )
  }
  return (
    <div class="sources">
      <p class="sources-title">{t('sourceCount', { n: documents.length })}</p>
      <DocumentList {...{ id, reply, documents, open, onToggle, words }} />
    </div>
  )
}

interface ListProps extends Omit<Props, 'cited'> {
  id: string
  documents: readonly CitedDocument[]
}

/** Entries that open; the place with the open number is where the reader wants to be. */
export function DocumentList({ id, reply, documents, open, onToggle, words }: ListProps) {
  const { t } = useLocale()
  return (
    <ol aria-label={t('sources')}>
      {documents.map((document) => {
        const first = document.places[0].label
        const opened = document.places.find(({ label }) => label === open)?.label
        return (
          <DocumentRow
            key={document.id}
            id={`${id}${first}`}
            reply={reply}
            document={document}
            open={opened !== undefined}
            onToggle={() => onToggle(opened ?? first)}
            words={words}
          />
        )
      })}
    </ol>
  )
}

interface RowProps {
  id: string
  reply: ReplyEntry
  document: CitedDocument
  open: boolean
  onToggle: () => void
  words: ProofTranslate
}

function DocumentRow({ id, reply, document, open, onToggle, words }: RowProps) {
  const { t, number } = useLocale()
  const { places } = document
  const href = document.url === null ? null : safeHref(document.url)
  const title = document.title ?? t('sourceUntitled', { n: places[0].label })
  const pages = [...new Set(places.flatMap(({ source }) => source.page ?? []))]
  const opens = places.some(({ source }) => source.quote !== null)
  const name = (
    <span class="source-words">
      <bdi>{title}</bdi>
      {pages.length === 1 && (
        <>
          {' '}
          <span class="source-page">{t('page', { n: pages[0] ?? 0 })}</span>
        </>
      )}
    </span>
  )
  const marks = places.map(({ label, source }) => (
    <span
      key={label}
      class="source-mark"
      aria-hidden="true"
      data-proof={proofName(reply.key, source.n ?? 0)}
    >
      {number(label)}
    </span>
  ))
  return (
    <li
      class={open ? 'source is-open' : 'source'}
      data-source={places.map(({ label }) => label).join(' ')}
    >
      <div class="source-row">
        {marks}
        {opens ? (
          <button
            type="button"
            class="source-name"
            aria-expanded={open}
            aria-controls={id}
            onClick={onToggle}
          >
            {name}
            <Icon name="chevron" />
          </button>
        ) : (
          <span class="source-name">{name}</span>
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
      <div id={id} hidden={!open} class="places">
        {open &&
          places.map((place) => (
            <div class="place-row" key={place.label} data-place={place.label}>
              {places.length > 1 && <span class="source-mark">{number(place.label)}</span>}
              <Place place={place} reply={reply} words={words} />
            </div>
          ))}
      </div>
    </li>
  )
}
