import { useMemo, useState } from 'preact/hooks'
import { type CitedSource, citedSources, provisionalLabels } from '../../../kit/markdown/citations'
import { safeHref } from '../../../kit/markdown/safe-url'
import type { MarkLabel } from '../../../kit/markdown/writer'
import type { Option } from '../../../kit/turn/frames'
import { Icon, Said } from '../../parts'
import { useFormat } from '../../words'
import { type Exchange, isRunning } from './exchange'
import { Markdown } from './markdown'
import { TalkForm } from './talk-form'
import { type TalkKey, useTalkWords } from './words'

interface Props {
  said: Exchange
  /** Only the newest offers what to say next. */
  last: boolean
  onSend: (words: string) => void
}

const STAGES: Readonly<Record<string, TalkKey>> = {
  retrieving: 'stageRetrieve',
  research: 'stageRetrieve',
  answering: 'stageAnswer',
  checking: 'stageCheck',
}
const TOOL_WORDS = { running: 'toolRunning', done: 'toolDone', failed: 'toolFailed' } as const

/** How an answer ended, where that is not simply its end. */
const ENDS: Readonly<Record<string, TalkKey>> = {
  no_match: 'endNoMatch',
  guard: 'endGuard',
  length: 'endLength',
  stopped: 'endStopped',
  handoff: 'endHandoff',
}

/** One answer of the test chat with everything that a visitor would be offered with it. */
export function Reply({ said, last, onSend }: Props) {
  const t = useTalkWords()
  const [open, setOpen] = useState<number | null>(null)
  const { text, sources, state } = said
  const running = isRunning(said)
  const cited = useMemo(() => (sources ? citedSources(text, sources) : []), [text, sources])
  const labels = useMemo(() => {
    const marks = new Map<number, MarkLabel>()
    if (sources === null) {
      for (const [mark, label] of provisionalLabels(text)) marks.set(mark, { label, name: null })
      return marks
    }
    for (const { mark, label, source } of cited) {
      const title = source.title ?? t('sourceUntitled', { n: label })
      marks.set(mark, { label, name: t('sourceMark', { n: label, title }) })
    }
    return marks
  }, [text, sources, cited, t])
  const note = ENDS[said.finishReason ?? '']

  return (
    <div class="talk-reply stack">
      {said.reasoning !== '' && (
        <details class="small muted">
          <summary>{t('reasoningTitle')}</summary>
          <p dir="auto">{said.reasoning}</p>
        </details>
      )}
      {said.tools.map(({ id, name, state: how }) => (
        <p class="small muted" key={id}>
          {t(TOOL_WORDS[how], { name })}
        </p>
      ))}
      {running && text === '' && (
        <p class="small muted">{t(STAGES[said.stage ?? ''] ?? 'stageAnswer')}</p>
      )}
      {text !== '' && (
        <Markdown
          text={text}
          live={running}
          labels={labels}
          labelsFinal={sources !== null || !running}
          onCite={(mark) => setOpen(cited.find((one) => one.mark === mark)?.label ?? null)}
        />
      )}
      {note && (
        <p class="small muted">
          <Icon name="info" /> {t(note)}
        </p>
      )}
      {said.closest.length > 0 && (
        <p class="small muted">
          {t('closest')}{' '}
          {said.closest.map(({ documentId, title }, at) => (
            <span key={documentId}>
              {at > 0 && ' · '}
              <bdi>{title}</bdi>
            </span>
          ))}
        </p>
      )}
      {state === 'failed' && said.problem && (
        <p class="small talk-failed">
          <Icon name="warn" /> <Said text={said.problem} />
        </p>
      )}
      <Sources cited={cited} open={open} onToggle={setOpen} />
      {said.cta && state === 'done' && <Call call={said.cta} />}
      {last && state === 'done' && said.form && (
        <TalkForm key={said.key} form={said.form} onSend={onSend} />
      )}
      {last && state === 'done' && (
        <Chips items={[...said.options, ...said.suggestions]} onSend={onSend} />
      )}
    </div>
  )
}

export function Chips(props: { items: readonly Option[]; onSend: (words: string) => void }) {
  const t = useTalkWords()
  if (props.items.length === 0) return null
  return (
    <ul class="talk-chips" aria-label={t('chips')}>
      {props.items.map(({ label, value }) => (
        <li key={label}>
          <button type="button" class="talk-chip" dir="auto" onClick={() => props.onSend(value)}>
            {label}
          </button>
        </li>
      ))}
    </ul>
  )
}

function Call({ call: { title, text, url } }: { call: NonNullable<Exchange['cta']> }) {
  const href = url === null ? null : safeHref(url)
  return (
    <div class="talk-call" dir="auto">
      {href === null ? (
        <strong>{title}</strong>
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow">
          {title}
        </a>
      )}
      {text !== null && <p class="small">{text}</p>}
    </div>
  )
}

interface SourcesProps {
  cited: readonly CitedSource[]
  open: number | null
  onToggle: (label: number | null) => void
}

function Sources({ cited, open, onToggle }: SourcesProps) {
  const t = useTalkWords()
  const { number } = useFormat()
  if (cited.length === 0) return null
  return (
    <div class="talk-sources">
      <p class="small muted">{t('sourceCount', { n: cited.length })}</p>
      <ol>
        {cited.map(({ label, source }) => {
          const href = source.url === null ? null : safeHref(source.url)
          const isOpen = open === label
          return (
            <li key={label}>
              <button
                type="button"
                class="talk-source"
                aria-expanded={isOpen}
                onClick={() => onToggle(isOpen ? null : label)}
              >
                <span class="cite" aria-hidden="true">
                  {number(label)}
                </span>
                <bdi>{source.title ?? t('sourceUntitled', { n: label })}</bdi>
                {source.page !== null && (
                  <span class="muted small">{t('sourcePage', { n: source.page })}</span>
                )}
              </button>
              {isOpen && (
                <blockquote class="talk-quote small" dir="auto">
                  {source.heading && <strong>{source.heading}</strong>}
                  <p>{source.quote ?? t('sourceNoQuote')}</p>
                  {href !== null && (
                    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
                      {t('sourceOpen')}
                    </a>
                  )}
                </blockquote>
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
