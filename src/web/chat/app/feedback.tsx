import { useId, useState } from 'preact/hooks'
import type { ReplyEntry } from '../model/chat'
import { useApp } from '../ui/context'
import { Icon } from '../ui/icons'

/** Thumbs for a reply. A thumb counts at once; after thumbs down a comment may be added. */
export function Feedback({ reply }: { reply: ReplyEntry }) {
  const { chat, locale } = useApp()
  const { t } = locale
  const id = useId()
  const [asking, setAsking] = useState(false)
  const [note, setNote] = useState<'thanks' | 'failed' | null>(null)

  const rate = async (value: 'up' | 'down', comment: string | null) => {
    setAsking(value === 'down' && comment === null)
    try {
      await chat.rate(reply.key, value, comment)
      setNote(value === 'up' || comment !== null ? 'thanks' : null)
    } catch {
      setAsking(false)
      setNote('failed')
    }
  }

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const comment = String(new FormData(form).get('comment') ?? '').trim()
    if (comment === '') {
      setAsking(false)
      setNote('thanks')
    } else void rate('down', comment)
  }

  return (
    <>
      <Thumb
        value="up"
        label={t('helpful')}
        pressed={reply.feedback === 'up'}
        onPress={() => void rate('up', null)}
      />
      <Thumb
        value="down"
        label={t('unhelpful')}
        pressed={reply.feedback === 'down'}
        onPress={() => void rate('down', null)}
      />
      <span class="action-note" role="status">
        {note === 'thanks' && t('feedbackThanks')}
        {note === 'failed' && t('feedbackFailed')}
      </span>
      {asking && (
        <form class="comment" onSubmit={submit}>
          <label for={id}>
            {t('feedbackQuestion')} <span class="muted">({t('feedbackOptional')})</span>
          </label>
          <textarea id={id} name="comment" rows={2} maxLength={2000} dir="auto" />
          <div class="row">
            <button type="submit" class="button primary">
              {t('feedbackSend')}
            </button>
            <button type="button" class="button" onClick={() => setAsking(false)}>
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
  onPress: () => void
}) {
  return (
    <button
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
