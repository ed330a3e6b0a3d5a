import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import type { CitedSource } from '../../kit/markdown/citations'
import type { ReplyEntry } from '../model/chat'
import { useApp, useLocale } from '../ui/context'
import { proofName } from './light-proof'
import {
  type Passage,
  type Reading,
  readContext,
  type SourceContext,
  saveOriginal,
} from './read-context'
import type { ProofTranslate } from './words'

interface Props {
  place: CitedSource
  reply: ReplyEntry
  words: ProofTranslate
}

/** A place that a reply rests on: its quote at once, then the passage around it with the quote marked. */
export function Place({ place, reply, words }: Props) {
  const { chat } = useApp()
  const { t } = useLocale()
  const { source } = place
  const { messageId } = reply
  // The sources arrive before the answer is stored, and what is not stored cannot be read.
  const isStored = reply.state === 'done' || reply.state === 'failed'
  const [reading, setReading] = useState<Reading | null>(null)
  useEffect(() => {
    let current = true
    if (isStored && messageId !== null && source.n !== null)
      void readContext(messageId, source.n, chat.token).then((result) => {
        if (current) setReading(result)
      })
    return () => {
      current = false
    }
  }, [isStored, messageId, source.n, chat])
  const context = reading === null || typeof reading === 'string' ? null : reading
  const under = context?.heading ?? source.heading ?? null
  // The document's title stands right above.
  const heading = under === source.title ? null : under
  const note = reading === 'gone' ? words('gone') : reading === 'failed' ? words('failed') : null
  return (
    <div class="place" aria-busy={reading === null}>
      {(source.page !== null || heading !== null) && (
        <p class="place-where small">
          <bdi>{heading}</bdi>{' '}
          {source.page !== null && <span class="source-page">{t('page', { n: source.page })}</span>}
        </p>
      )}
      <p class="small muted" role="status">
        {reading === null ? <span class="sr">{words('loading')}</span> : note}
      </p>
      {context === null ? (
        <blockquote dir="auto">{source.quote}</blockquote>
      ) : (
        <PassageInContext context={context} place={place} replyKey={reply.key} words={words} />
      )}
      {context?.downloadable && messageId !== null && source.n !== null && (
        <Original messageId={messageId} n={source.n} words={words} />
      )}
    </div>
  )
}

function PassageInContext(props: {
  context: SourceContext
  place: CitedSource
  replyKey: string
  words: ProofTranslate
}) {
  const { context, place, replyKey, words } = props
  const { text, quotes, previous, next } = context
  const pieces = []
  let at = 0
  for (const [index, { start, end }] of quotes.entries()) {
    // Places may overlap: what is marked already is not marked again.
    const from = Math.max(start, at)
    if (end <= from) continue
    pieces.push(
      text.slice(at, from),
      <mark key={index} data-proof={proofName(replyKey, place.source.n ?? 0, index)}>
        <span class="sr">{words('quoteBegins')} </span>
        {text.slice(from, end)}
        <span class="sr"> {words('quoteEnds')}</span>
      </mark>,
    )
    at = end
  }
  pieces.push(text.slice(at))
  return (
    <>
      <Neighbour label={words('before')} passage={previous} />
      <blockquote dir="auto">{pieces}</blockquote>
      <Neighbour label={words('after')} passage={next} />
    </>
  )
}

function Neighbour({ label, passage }: { label: string; passage: Passage | null }) {
  return passage === null ? null : (
    <details class="neighbour">
      <summary>
        <Icon name="chevron" />
        {label}
      </summary>
      <p dir="auto">{passage.text}</p>
    </details>
  )
}

function Original(props: { messageId: string; n: number; words: ProofTranslate }) {
  const { messageId, n, words } = props
  const { chat } = useApp()
  const [failed, setFailed] = useState(false)
  const save = () => {
    setFailed(false)
    saveOriginal(messageId, n, chat.token).catch(() => setFailed(true))
  }
  return (
    <p class="place-original">
      <button type="button" class="link-button" onClick={save}>
        {words('original')}
      </button>
      <span class="small" role="status">
        {failed && words('originalFailed')}
      </span>
    </p>
  )
}
