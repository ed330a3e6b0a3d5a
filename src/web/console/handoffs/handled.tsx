import { useState } from 'preact/hooks'
import { isComposing } from '../../kit/composing'
import { useApi } from '../api/call'
import {
  Button,
  CallThisApi,
  ConfirmDialog,
  KeyValues,
  Problem,
  TextArea,
  Time,
  useToast,
} from '../parts'
import { Link, to } from '../router'
import { Conversation } from '../spaces/conversation'
import { useMessages } from '../spaces/use-messages'
import { useAct } from '../use-load'
import { usePeople } from '../users/words'
import { HandoffState } from './inbox'
import type { Handoff } from './types'
import { useEvery } from './use-every'

const LOOK_MS = 8_000

interface HandledProps {
  handoff: Handoff
  /** What its user is called, where that is known. */
  name: string | null
  /** What is being written; kept while another conversation is looked at. */
  reply: string
  onReply: (text: string) => void
  onChanged: (handoff: Handoff) => void
}

/** One conversation that a person was asked into: what it is about, what was said, the answer. */
export function Handled({ handoff, name, reply, onReply, onChanged }: HandledProps) {
  const t = usePeople()
  const messages = useMessages(handoff.session_id)
  const isOpen = handoff.status !== 'closed'
  useEvery(LOOK_MS, () => {
    if (isOpen && !messages.loading) messages.refresh()
  })
  const changed = (next: Handoff) => {
    onChanged(next)
    messages.refresh()
  }
  return (
    <article class="stack">
      <header class="stack tight">
        <div class="row spread">
          <h2 tabIndex={-1}>{t('withAgent', { agent: handoff.agent_name })}</h2>
          <HandoffState status={handoff.status} />
        </div>
        <KeyValues
          rows={[
            [t('askedBy'), t(`reason_${handoff.reason}`)],
            [t('since'), <Time key="s" at={handoff.created_at} />],
            ...(handoff.answered_at === null
              ? []
              : [[t('answeredAt'), <Time key="a" at={handoff.answered_at} />] as const]),
            ...(handoff.closed_at === null
              ? []
              : [[t('closedAt'), <Time key="c" at={handoff.closed_at} />] as const]),
            [
              t('user'),
              <Link key="u" to={to`/users/${handoff.user_id}`}>
                {name === null ? t('showUser') : <bdi>{name}</bdi>}
              </Link>,
            ],
            [
              t('chat'),
              <Link key="o" to={to`/sessions/${handoff.session_id}`}>
                {t('openChat')}
              </Link>,
            ],
          ]}
        />
      </header>
      {handoff.summary && (
        <section class="card stack tight">
          <h3>{t('summary')}</h3>
          <p class="spoken" dir="auto">
            {handoff.summary}
          </p>
        </section>
      )}
      <section class="stack tight">
        <h3>{t('conversation')}</h3>
        <Conversation of={messages} />
      </section>
      {isOpen ? (
        <Reply handoff={handoff} reply={reply} onReply={onReply} onChanged={changed} />
      ) : (
        <p class="card small muted">{t('closedHandoff')}</p>
      )}
      <div>
        <CallThisApi
          method="POST"
          path={to`/v1/manage/sessions/${handoff.session_id}/reply`}
          body={{ text: '' }}
        />
      </div>
    </article>
  )
}

function Reply({ handoff, reply: text, onReply, onChanged }: Omit<HandledProps, 'name'>) {
  const t = usePeople()
  const api = useApi()
  const toast = useToast()
  const sending = useAct()
  const [isReturning, setReturning] = useState(false)
  const path = to`/v1/manage/sessions/${handoff.session_id}`
  const fault = sending.problem?.fields.find((one) => one.path === 'text')?.message ?? null
  const send = () =>
    sending.act(async () => {
      const next = await api.post<Handoff>(`${path}/reply`, { text: text.trim() })
      onReply('')
      toast(t('replySent'))
      onChanged(next)
    })
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') void send()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event)) return
        event.preventDefault()
        if (text.trim() !== '') void send()
      }}
    >
      <TextArea
        label={t('reply')}
        value={text}
        onInput={onReply}
        rows={4}
        maxLength={16_000}
        hint={t('replyHint')}
        error={fault}
      />
      <Problem of={fault === null ? sending.problem : null} />
      <div class="row">
        <Button
          kind="primary"
          type="submit"
          icon="send"
          busy={sending.busy}
          disabled={text.trim() === ''}
        >
          {t('sendReply')}
        </Button>
        <Button onClick={() => setReturning(true)}>{t('giveBack')}</Button>
      </div>
      {isReturning && (
        <ConfirmDialog
          title={t('giveBackTitle', { agent: handoff.agent_name })}
          text={t('giveBackText')}
          confirm={t('giveBack')}
          onConfirm={async () => {
            const next = await api.post<Handoff>(`${path}/resume`)
            toast(t('givenBack'))
            onChanged(next)
          }}
          onClose={() => setReturning(false)}
        />
      )}
    </form>
  )
}
