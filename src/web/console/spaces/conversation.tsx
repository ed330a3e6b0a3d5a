import { Badge, Button, Loading, Problem } from '../parts'
import { ReplyText } from '../parts/reply-text'
import { usePeople } from '../users/words'
import { useFormat } from '../words'
import type { Message } from './types'
import type { Messages } from './use-messages'

/** The messages of a session as the tenant reads them: what agents write as their users see it, all else as it was typed. */
export function Conversation({ of }: { of: Messages }) {
  const t = usePeople()
  const { items, problem, loading, hasEarlier, earlier, refresh } = of
  if (items === null) return problem ? <Problem of={problem} retry={refresh} /> : <Loading />
  return (
    <div class="stack">
      {hasEarlier && (
        <div>
          <Button small busy={loading} onClick={earlier}>
            {t('earlier')}
          </Button>
        </div>
      )}
      <Problem of={problem} retry={refresh} />
      {items.length === 0 && <p class="muted">{t('noMessages')}</p>}
      <ol class="conversation">
        {items.map((message) => (
          <Said key={message.id} message={message} />
        ))}
      </ol>
    </div>
  )
}

function Said({ message }: { message: Message }) {
  const t = usePeople()
  const format = useFormat()
  const { role, author, agent_name, content, status, sources, attachments } = message
  const who =
    role === 'user'
      ? t('fromUser')
      : role === 'system'
        ? t('fromSystem')
        : author === 'staff'
          ? t('fromStaff')
          : (agent_name ?? t('fromAgent'))
  return (
    <li class={`said-by ${role === 'user' ? 'user' : author === 'staff' ? 'staff' : 'agent'}`}>
      <p class="small row">
        <strong>
          <bdi>{who}</bdi>
        </strong>
        <time class="muted" dateTime={message.created_at}>
          {format.time(message.created_at)}
        </time>
        {message.edited_at !== null && <span class="muted">{t('edited')}</span>}
        {message.variants.length > 1 && (
          <span class="muted">{t('variants', { n: message.variants.length })}</span>
        )}
        {status !== 'complete' && <Badge tone="warn">{t(`message_${status}`)}</Badge>}
        {message.feedback && (
          <Badge tone={message.feedback === 'up' ? 'ok' : 'bad'}>
            {t(`thumb_${message.feedback}`)}
          </Badge>
        )}
      </p>
      {content !== null && content !== '' && <Words message={message} text={content} />}
      {attachments.length > 0 && (
        <p class="small muted">
          {t('attached', { names: format.list(attachments.map(({ name, mime }) => name ?? mime)) })}
        </p>
      )}
      {sources.length > 0 && (
        <details class="small">
          <summary>{t('sources', { n: sources.length })}</summary>
          <ol class="point-list">
            {sources.map((source) => (
              <li key={source.chunk_id ?? source.document_id} value={source.n}>
                {source.url ? (
                  <a href={source.url} target="_blank" rel="noopener noreferrer" dir="auto">
                    {source.title ?? source.url}
                  </a>
                ) : (
                  <bdi>{source.title ?? source.document_id}</bdi>
                )}
                {source.quote && <q dir="auto">{source.quote}</q>}
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  )
}

function Words({ message: { role, author, sources }, text }: { message: Message; text: string }) {
  if (role === 'assistant' && author !== 'staff') return <ReplyText text={text} sources={sources} />
  return (
    <p class="spoken" dir="auto">
      {text}
    </p>
  )
}
