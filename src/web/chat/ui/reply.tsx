import { useMemo, useRef, useState } from 'preact/hooks'
import type { TurnEvent } from '../../../chat/events'
import { Icon } from '../../kit/icons'
import { citedSources, provisionalLabels } from '../../kit/markdown/citations'
import type { MarkLabel } from '../../kit/markdown/writer'
import type { Option } from '../../kit/turn/frames'
import { useAgain, useLate } from '../app/lazy-app'
import type { MessageKey } from '../i18n'
import type { ReplyEntry } from '../model/chat'
import { useApp, useLocale } from './context'
import { LazyForm } from './lazy-form'
import { LazyProof } from './lazy-proof'
import { Markdown } from './markdown'
import { ProblemNote } from './problem-note'
import { showRow } from './show-row'

interface Props {
  reply: ReplyEntry
  /** The newest entry: only it offers suggestions, options, a form and another try. */
  last: boolean
}

/** What the turn is at before its first word, by the names that it says itself. */
type Stage = Extract<TurnEvent, { type: 'status' }>['stage']
const STAGES: Readonly<Record<Stage, MessageKey>> = {
  retrieving: 'stageRetrieve',
  research: 'stageRetrieve',
  answering: 'stageGenerate',
  checking: 'stageCheck',
}

export function Reply({ reply, last }: Props) {
  const { agent, chat, locale, showBeside } = useApp()
  const { t } = locale
  const late = useLate()
  const again = useAgain()
  const root = useRef<HTMLLIElement>(null)
  const [openSource, setOpenSource] = useState<number | null>(null)
  const { text, sources, state } = reply
  const ended = state === 'done' || state === 'failed'

  const cited = useMemo(
    () => (sources === null ? [] : citedSources(text, sources)),
    [text, sources],
  )
  const labels = useMemo(() => {
    const marks = new Map<number, MarkLabel>()
    if (sources === null) {
      for (const [mark, label] of provisionalLabels(text)) marks.set(mark, { label, name: null })
      return marks
    }
    for (const { mark, label, source } of cited) {
      const opens = source.title !== null || source.quote !== null
      const title = source.title ?? t('sourceUntitled', { n: label })
      marks.set(mark, { label, name: opens ? t('sourceMark', { n: label, title }) : null })
    }
    return marks
  }, [text, sources, cited, t])

  const showSource = (mark: number) => {
    const found = cited.find((c) => c.mark === mark)
    if (!found || showBeside({ replyKey: reply.key, label: found.label })) return
    setOpenSource(found.label)
    // After the row has opened.
    requestAnimationFrame(() => showRow(root.current, found.label))
  }

  const send = (words: string) => void chat.send(words, [])
  const choosable = last && state === 'done'

  return (
    <li class="reply" ref={root} aria-labelledby={`by-${reply.key}`}>
      <p class="sr" id={`by-${reply.key}`}>
        {t('messageBy', { author: agent.name, time: locale.time(reply.at) })}
      </p>
      {reply.reasoning !== '' && (
        <details class="reasoning">
          <summary>
            <Icon name="chevron" />
            {t('reasoning')}
          </summary>
          <p dir="auto">{reply.reasoning}</p>
        </details>
      )}
      {reply.tools.map((tool) => (
        <p class="quiet" key={tool.id}>
          <Icon name="tool" />
          {t(TOOL_WORDS[tool.state], { name: tool.name })}
        </p>
      ))}
      {!ended && text === '' && (
        <p class="stage">
          <span class="pulse" />
          {t(STAGES[reply.stage as Stage] ?? 'answering')}
        </p>
      )}
      {text !== '' && (
        <Markdown
          text={text}
          live={!ended}
          labels={labels}
          labelsFinal={sources !== null || ended}
          onCite={showSource}
        />
      )}
      {state === 'done' && <EndNote reason={reply.finishReason} />}
      {reply.problem !== null && (
        <ProblemNote
          problem={reply.problem}
          onRetry={last && state === 'failed' ? () => void chat.retry() : null}
        />
      )}
      <LazyProof
        {...{ reply, cited, last, root }}
        open={openSource}
        onToggle={(label) => setOpenSource(openSource === label ? null : label)}
        onSend={send}
      />
      {reply.form !== null && state === 'done' && (
        <LazyForm form={reply.form} said={text} active={choosable} onSend={send} />
      )}
      {reply.cta !== null && state === 'done' && late && <late.CtaCard cta={reply.cta} />}
      {state === 'done' && text !== '' && again && <again.ReplyActions {...{ reply, last }} />}
      {choosable &&
        (reply.offer && late ? (
          <late.OfferCard {...{ reply, send }} />
        ) : (
          <Choices label={t('options')} items={reply.options.map(toChip)} onSend={send} />
        ))}
      {choosable && (
        <Choices label={t('suggestions')} items={reply.suggestions.map(toChip)} onSend={send} />
      )}
    </li>
  )
}

const toChip = (choice: Option | string) =>
  typeof choice === 'string'
    ? { label: choice, send: choice }
    : { label: choice.label, send: choice.value }

const TOOL_WORDS = {
  running: 'toolRunning',
  done: 'toolDone',
  failed: 'toolFailed',
} as const satisfies Record<string, MessageKey>

/** Chips that send their words when pressed. */
export function Choices(props: {
  label: string
  items: readonly { label: string; send: string }[]
  onSend: (words: string) => void
}) {
  if (props.items.length === 0) return null
  return (
    <ul class="chips" aria-label={props.label}>
      {props.items.map((item) => (
        <li key={item.label}>
          <button type="button" class="chip" dir="auto" onClick={() => props.onSend(item.send)}>
            {item.label}
          </button>
        </li>
      ))}
    </ul>
  )
}

function EndNote({ reason }: { reason: string | null }) {
  const { t } = useLocale()
  const words = reason === 'stopped' ? t('stopped') : reason === 'length' ? t('cut') : null
  return words === null ? null : (
    <p class="quiet">
      <Icon name="info" />
      {words}
    </p>
  )
}
