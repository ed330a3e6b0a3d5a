import { useEffect, useRef, useState } from 'preact/hooks'
import type { Translate } from '../../kit/i18n'
import { Icon } from '../../kit/icons'
import { Feedback } from '../app/feedback'
import { SaidBy } from '../app/lazy-guide'
import { LazySpeech } from '../app/lazy-speech'
import { loadCode } from '../app/load-code'
import { withSources } from '../app/with-sources'
import { type LateKey, useLateWords } from '../app/words'
import type { ReplyEntry, UserEntry } from '../model/chat'
import { useApp, useChatState } from '../ui/context'
import { copyText } from '../ui/copy'
import {
  answerAgain,
  branchAt,
  chooseVersion,
  editMessage,
  fillComposer,
  removeMessage,
} from './said'

const COPIED_MS = 2000
const PATHS = {
  previous: 'M12 5l-5 5 5 5',
  next: 'M8 5l5 5-5 5',
  branch:
    'M6 6.5v7M6 6.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM6 16.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM14 6.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM14 6.5c0 4-8 2.5-8 7',
} as const

/** The entry whose last change did not work; it may have been drawn anew since. */
let troubled: string | null = null

/** Does one thing after another, and remembers whether the last one worked. */
function useWork(key: string) {
  const [isBusy, setBusy] = useState(false)
  const [, redraw] = useState(0)
  const run = async (work: Promise<boolean>) => {
    setBusy(true)
    troubled = null
    if (!(await work.catch(() => false))) troubled = key
    setBusy(false)
    redraw((n) => n + 1)
  }
  return { isBusy, run, hasFailed: troubled === key }
}

function Action(props: {
  name: string
  path?: keyof typeof PATHS
  icon?: 'copy' | 'check' | 'retry' | 'pencil' | 'trash'
  disabled?: boolean
  onPress: () => void
}) {
  return (
    <button
      type="button"
      class="icon-button small"
      aria-label={props.name}
      title={props.name}
      aria-disabled={props.disabled}
      onClick={() => props.disabled || props.onPress()}
    >
      {props.icon ? (
        <Icon name={props.icon} />
      ) : (
        <svg class="icon mirror" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
          <path d={PATHS[props.path ?? 'next']} />
        </svg>
      )}
    </button>
  )
}

/** What a reader does with a reply: compares its versions, copies it, rates it, asks for another one. */
export function ReplyActions({ reply, last }: { reply: ReplyEntry; last: boolean }) {
  const { boot, chat, locale } = useApp()
  const { t } = locale
  const words = useLateWords()
  const { entries, turn, sessionId, storyline } = useChatState()
  const { isBusy, run, hasFailed } = useWork(reply.key)
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(withSources(reply, locale)))) return
    setCopied(true)
    setTimeout(() => setCopied(false), COPIED_MS)
  }
  const isIdle = turn === 'idle' && !isBusy
  // What a person said, where a storyline stands, and what answers nobody, is not made anew.
  const isOwn =
    entries.at(-2)?.kind === 'user' &&
    storyline === null &&
    !['staff', 'handoff'].includes(reply.finishReason ?? '')
  const isKept = boot.features.history && sessionId !== null && reply.messageId !== null
  return (
    <div class="actions">
      <SaidBy reply={reply} />
      {words && isKept && (
        <Versions entry={reply} words={words} isIdle={isIdle} onChoose={(work) => void run(work)} />
      )}
      <Action
        name={t(copied ? 'copied' : 'copy')}
        icon={copied ? 'check' : 'copy'}
        onPress={() => void copy()}
      />
      {boot.features.speech && reply.messageId !== null && (
        <LazySpeech messageId={reply.messageId} />
      )}
      {boot.features.feedback && reply.messageId !== null && <Feedback reply={reply} />}
      {words && isKept && last && isOwn && (
        <Action
          name={words('again')}
          icon="retry"
          disabled={!isIdle}
          onPress={() => {
            void run(answerAgain(chat, reply))
            fillComposer(null)
          }}
        />
      )}
      <time class="time" dateTime={new Date(reply.at).toISOString()}>
        {locale.time(reply.at)}
      </time>
      {words && <Failure words={words} shown={hasFailed} />}
    </div>
  )
}

type Forms = typeof import('./forms')

/** Their code is fetched when the first one is asked for; `onFail` where it cannot be had. */
function useForms(isAsked: boolean, onFail: () => void): Forms | null {
  const [forms, setForms] = useState<Forms | null>(null)
  useEffect(() => {
    if (isAsked) loadCode(() => import('./forms')).then(setForms, onFail)
  }, [isAsked])
  return forms
}

/** What people do with a message of their own. */
export function OwnActions({ entry }: { entry: UserEntry }) {
  const { boot, chat } = useApp()
  const words = useLateWords()
  const { turn, sessionId } = useChatState()
  const { isBusy, run, hasFailed } = useWork(entry.key)
  const [asked, setAsked] = useState<'edit' | 'remove' | null>(null)
  const forms = useForms(asked !== null, () => setAsked(null))
  const root = useRef<HTMLDivElement>(null)
  if (words === null || !boot.features.history || sessionId === null) return null
  const isIdle = turn === 'idle' && !isBusy
  const close = () => {
    setAsked(null)
    requestAnimationFrame(() => root.current?.querySelector('button')?.focus())
  }
  if (forms && asked === 'edit') {
    return (
      <forms.EditForm
        text={entry.text}
        words={words}
        onClose={close}
        onSend={(text) => {
          setAsked(null)
          fillComposer(null)
          void run(editMessage(chat, entry.key, text))
        }}
      />
    )
  }
  if (forms && asked === 'remove') {
    return (
      <forms.RemoveForm
        words={words}
        onClose={close}
        onRemove={() => {
          setAsked(null)
          fillComposer(null)
          void run(removeMessage(chat, entry.key))
        }}
      />
    )
  }
  return (
    <div class="own-actions" ref={root}>
      <Versions entry={entry} words={words} isIdle={isIdle} onChoose={(work) => void run(work)} />
      <Action
        name={words('edit')}
        icon="pencil"
        disabled={!isIdle}
        onPress={() => setAsked('edit')}
      />
      <Action
        name={words('branch')}
        path="branch"
        disabled={!isIdle}
        onPress={() => void run(branchAt(chat, entry.key))}
      />
      <Action
        name={words('remove')}
        icon="trash"
        disabled={!isIdle}
        onPress={() => setAsked('remove')}
      />
      <Failure words={words} shown={hasFailed} />
    </div>
  )
}

export type Words = Translate<LateKey>

function Versions(props: {
  entry: UserEntry | ReplyEntry
  words: Words
  isIdle: boolean
  onChoose: (work: Promise<boolean>) => void
}) {
  const { chat } = useApp()
  const { entry, words } = props
  const { variants = [], messageId } = entry
  const at = variants.indexOf(messageId ?? '')
  if (variants.length < 2 || at < 0) return null
  const step = (by: number, name: 'previous' | 'next') => {
    const version = variants[at + by]
    return (
      <Action
        name={words(name)}
        path={name}
        disabled={!props.isIdle || version === undefined}
        onPress={() => version && props.onChoose(chooseVersion(chat, entry, version))}
      />
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div class="versions" role="group" aria-label={words('versions')}>
      {step(-1, 'previous')}
      <span role="status">{words('version', { n: at + 1, total: variants.length })}</span>
      {step(1, 'next')}
    </div>
  )
}

function Failure({ words, shown }: { words: Words; shown: boolean }) {
  return (
    <span class="action-note" role="status">
      {shown && words('failed')}
    </span>
  )
}
