import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { isComposing } from '../../../kit/composing'
import { plainText } from '../../../kit/markdown/plain-text'
import type { MarkLabel } from '../../../kit/markdown/writer'
import type { Option } from '../../../kit/turn/frames'
import { Badge, Button, Icon, Problem } from '../../parts'
import { useShell } from '../../words'
import { isRunning } from './exchange'
import { Markdown } from './markdown'
import { Chips, Reply } from './reply'
import { useTalk } from './use-talk'
import { useTalkWords } from './words'

const UNCITED = new Map<number, MarkLabel>()

interface Props {
  agent: string
  /** What a visitor is greeted with, as it is stored. */
  greeting: string | null
  chips: readonly Option[]
  published: boolean
  /** There are changes that the agent does not know of yet. */
  unsaved: boolean
}

/** Talks to the agent as it is stored: what a visitor would read, before anyone can. */
export function Talk({ agent, greeting, chips, published, unsaved }: Props) {
  const t = useTalkWords()
  const shell = useShell()
  const talk = useTalk(agent)
  const log = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const [draft, setDraft] = useState('')
  const { exchanges, running } = talk
  const newest = exchanges.at(-1)

  useEffect(() => {
    const box = log.current
    if (box) box.scrollTop = box.scrollHeight
  }, [exchanges])

  const send = (text: string) => {
    talk.send(text)
    setDraft('')
    field.current?.focus({ preventScroll: true })
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (!running) send(draft)
  }
  return (
    <section class="talk card" aria-labelledby={id}>
      <header class="talk-head">
        <h2 id={id}>{t('talkTitle')}</h2>
        <Badge tone={published ? 'ok' : 'quiet'}>{t(published ? 'published' : 'draft')}</Badge>
        <Button
          kind="quiet"
          small
          icon="retry"
          disabled={exchanges.length === 0}
          onClick={() => {
            talk.restart()
            field.current?.focus({ preventScroll: true })
          }}
        >
          {t('talkNew')}
        </Button>
      </header>
      {unsaved && (
        <p class="talk-note small">
          <Icon name="info" /> {t('talkUnsaved')}
        </p>
      )}
      <div
        class="talk-log"
        ref={log}
        role="log"
        aria-live="off"
        aria-label={t('talkLog')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the keyboard too.
        tabIndex={0}
      >
        {exchanges.length === 0 && (
          <div class="talk-intro stack">
            {greeting === null ? (
              <p class="muted">{t('talkEmpty')}</p>
            ) : (
              <div dir="auto">
                <Markdown
                  text={greeting}
                  live={false}
                  labels={UNCITED}
                  labelsFinal
                  onCite={() => undefined}
                />
              </div>
            )}
            <Chips items={chips} onSend={send} />
          </div>
        )}
        {exchanges.map((said) => (
          <div class="talk-pair" key={said.key}>
            <p class="talk-own" dir="auto">
              {said.question}
            </p>
            <Reply said={said} last={said === newest && !running} onSend={send} />
          </div>
        ))}
        {newest?.storyline && (
          <p class="talk-storyline small muted">
            {t('talkStoryline', { name: newest.storyline.name ?? newest.storyline.id })}
            {newest.storyline.part !== null && (
              <>
                {' · '}
                <bdi>{newest.storyline.part}</bdi>
              </>
            )}
          </p>
        )}
        {talk.lost && <p class="small muted">{t('talkLost')}</p>}
        <Problem of={talk.problem} {...(talk.retry && { retry: talk.retry })} />
        {newest?.state === 'failed' && talk.problem === null && (
          <Button small icon="retry" onClick={talk.retry}>
            {shell('retry')}
          </Button>
        )}
      </div>
      <p class="sr" role="status">
        {newest === undefined
          ? ''
          : isRunning(newest)
            ? t('stageAnswer')
            : plainText(newest.text).slice(0, 500)}
      </p>
      <form class="talk-composer" onSubmit={submit}>
        <textarea
          ref={field}
          rows={2}
          dir="auto"
          aria-label={t('talkMessage')}
          placeholder={t('talkMessage')}
          maxLength={16_000}
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) submit(event)
          }}
        />
        {running ? (
          <Button onClick={talk.stop} icon="stop">
            {t('stop')}
          </Button>
        ) : (
          <Button kind="primary" type="submit" disabled={draft.trim() === ''}>
            {t('send')}
          </Button>
        )}
      </form>
    </section>
  )
}
