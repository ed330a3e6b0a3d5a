import { useEffect, useRef, useState } from 'preact/hooks'
import { plainText } from '../../kit/markdown/plain-text'
import type { Locale } from '../i18n'
import type { ReplyEntry } from '../model/chat'
import { useApp, useChatState } from './context'
import { problemText } from './problem-note'

const READ_LENGTH = 500

/**
 * What a screen reader is told: that an answer is being written, then the finished answer once. The log itself is
 * silent, so nothing is read token by token. Failures interrupt.
 */
export function Announcer() {
  const { locale } = useApp()
  const { entries, sessionId } = useChatState()
  const [status, setStatus] = useState('')
  const [alert, setAlert] = useState('')
  const followed = useRef<string | null>(null)
  const last = entries.at(-1)
  const id = last?.kind === 'reply' ? last.messageId : null
  const seen = useRef({ id, sessionId, count: entries.length })

  useEffect(() => {
    const before = seen.current
    seen.current = { id, sessionId, count: entries.length }
    if (last?.kind !== 'reply') return
    if (last.state === 'waiting' || last.state === 'live') {
      if (followed.current === last.key) return
      followed.current = last.key
      setAlert('')
      setStatus(locale.t('answering'))
    } else if (followed.current === last.key) {
      followed.current = null
      if (last.problem === null) setStatus(spoken(last, locale))
      else {
        setStatus('')
        setAlert(problemText(locale, last.problem, Date.now()))
      }
    } else if (
      before.sessionId === sessionId &&
      before.id !== id &&
      before.count > 0 &&
      entries.length > before.count
    ) {
      // Nobody asked for it here: a person of the team answered, or the agent had something to say later.
      setStatus(spoken(last, locale))
    }
  }, [last, locale])

  return (
    <>
      <p class="sr" role="status" data-announcer="">
        {status}
      </p>
      <p class="sr" role="alert">
        {alert}
      </p>
    </>
  )
}

function spoken(reply: ReplyEntry, { t }: Locale): string {
  const words = plainText(reply.text)
  const parts =
    words.length <= READ_LENGTH ? [words] : [`${words.slice(0, READ_LENGTH)}…`, t('moreInLog')]
  if (reply.finishReason === 'stopped') parts.push(t('stopped'))
  if (reply.options.length > 0) parts.push(t('optionCount', { n: reply.options.length }))
  if (reply.form !== null) parts.push(t('formCount', { n: reply.form.fields.length }))
  return parts.join(' ')
}
