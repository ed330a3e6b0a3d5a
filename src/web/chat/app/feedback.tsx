import type { RefObject } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import type { ReplyEntry } from '../model/chat'
import type { RatingWords } from '../net/chat-api'
import { useApp } from '../ui/context'
import { useLateWords } from './words'

const REASONS = ['wrong', 'not_found', 'outdated', 'unclear', 'other'] as const
type Reason = (typeof REASONS)[number]
const MOST_REASONS = 3

const toggled = (chosen: readonly Reason[], reason: Reason): readonly Reason[] =>
  chosen.includes(reason) ? chosen.filter((one) => one !== reason) : [...chosen, reason]

/** Thumbs for a reply. A thumb counts at once; after thumbs down reasons and a comment may be added. */
export function Feedback({ reply }: { reply: ReplyEntry }) {
  const { chat, locale } = useApp()
  const { t } = locale
  const id = useId()
  const [asking, setAsking] = useState(false)
  const words = useLateWords()
  const [reasons, setReasons] = useState<readonly Reason[]>([])
  const [note, setNote] = useState<'thanks' | 'failed' | null>(null)
  const down = useRef<HTMLButtonElement>(null)

  const rate = async (value: 'up' | 'down') => {
    setAsking(value === 'down')
    try {
      await chat.rate(reply.key, value, {})
      setNote(value === 'up' ? 'thanks' : null)
    } catch {
      setAsking(false)
      setNote('failed')
    }
  }

  const close = () => {
    setAsking(false)
    down.current?.focus()
  }

  /** What was written stays until it is taken. */
  const say = async (said: RatingWords) => {
    try {
      await chat.rate(reply.key, 'down', said)
      setNote('thanks')
      close()
    } catch {
      setNote('failed')
    }
  }

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const comment = String(new FormData(form).get('comment') ?? '').trim()
    if (comment === '' && reasons.length === 0) {
      setNote('thanks')
      close()
    } else {
      void say({
        ...(comment === '' ? {} : { comment }),
        ...(reasons.length === 0 ? {} : { reasons }),
      })
    }
  }

  return (
    <>
      <Thumb
        value="up"
        label={t('helpful')}
        pressed={reply.feedback === 'up'}
        onPress={() => void rate('up')}
      />
      <Thumb
        value="down"
        label={t('unhelpful')}
        pressed={reply.feedback === 'down'}
        button={down}
        onPress={() => void rate('down')}
      />
      <span class="action-note" role="status">
        {note === 'thanks' && t('feedbackThanks')}
        {note === 'failed' && t('feedbackFailed')}
      </span>
      {asking && words && (
        <form class="comment" onSubmit={submit}>
          <fieldset class="reasons">
            <legend>{t('feedbackQuestion')}</legend>
            {REASONS.map((reason) => (
              <label key={reason} class="chip">
                <input
                  type="checkbox"
                  checked={reasons.includes(reason)}
                  disabled={reasons.length >= MOST_REASONS && !reasons.includes(reason)}
                  onChange={() => setReasons(toggled(reasons, reason))}
                />
                {words(reason)}
              </label>
            ))}
          </fieldset>
          <label for={id}>
            {words('comment')} <span class="muted">({t('feedbackOptional')})</span>
          </label>
          <textarea id={id} name="comment" rows={2} maxLength={2000} dir="auto" />
          <div class="row">
            <button type="submit" class="button primary">
              {t('feedbackSend')}
            </button>
            <button type="button" class="button" onClick={close}>
              {t('cancel')}
            </button>
          </div>
        </form>
      )}
    </>
  )
}

function Thumb(props: {
  value: 'up' | 'down'
  label: string
  pressed: boolean
  button?: RefObject<HTMLButtonElement | null>
  onPress: () => void
}) {
  return (
    <button
      {...(props.button ? { ref: props.button } : {})}
      type="button"
      class="icon-button small"
      aria-pressed={props.pressed}
      aria-label={props.label}
      title={props.label}
      onClick={props.onPress}
    >
      <Icon name={props.value} />
    </button>
  )
}
