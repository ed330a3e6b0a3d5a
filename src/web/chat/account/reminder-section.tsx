import { useEffect, useState } from 'preact/hooks'
import { AccountRefused, type Reminder } from './account-api'
import { problemWord, Said, Section, TextField, useAccount, useTask } from './parts'
import type { AccountKey } from './words'

const STATES: Record<Reminder['status'], AccountKey> = {
  pending: 'pending',
  sent: 'sent',
  failed: 'reminderFailed',
  cancelled: 'cancelled',
}

interface Page {
  items: Reminder[]
  next_cursor: string | null
}

/** Reminders of one space by their time; their words are in no list. */
export function ReminderSection({ space }: { space: string }) {
  const { api, w, locale } = useAccount()
  const task = useTask()
  const [items, setItems] = useState<readonly Reminder[] | null>(null)
  const [next, setNext] = useState<string | null>(null)

  const load = async (cursor: string | null) => {
    const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`
    const page = await api.call<Page>('GET', `/me/reminders${query}`, undefined, space)
    setItems((shown) => [...(cursor === null ? [] : (shown ?? [])), ...page.items])
    setNext(page.next_cursor)
    return null
  }
  useEffect(() => {
    void task.run(() => load(null))
  }, [api])

  const time = ({ due_at, timezone }: Reminder) =>
    new Intl.DateTimeFormat(locale.lang, {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: timezone,
    }).format(Date.parse(due_at))
  const change = (method: string, path: string) =>
    task.run(async () => {
      await api.call(method, path, undefined, space)
      await load(null)
      return 'done'
    })
  /** @returns whether it is planned. */
  const add = async (text: string, dueAt: string): Promise<boolean> => {
    let isPlanned = false
    await task.run(async () => {
      const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
      try {
        await api.call('POST', '/me/reminders', { text, due_at: dueAt, timezone }, space)
      } catch (error) {
        const status = error instanceof AccountRefused ? error.status : 0
        if (status === 422) return { bad: 'reminderWhen' }
        return { bad: status === 409 ? 'reminderTooMany' : problemWord(error) }
      }
      isPlanned = true
      await load(null)
      return 'saved'
    })
    return isPlanned
  }
  return (
    <Section title={w('reminders')}>
      {items?.length === 0 && <p class="muted">{w('noReminders')}</p>}
      <ul class="items">
        {items?.map((reminder) => (
          <li key={reminder.id} class="item item-head">
            <p>
              <time dateTime={reminder.due_at}>{time(reminder)}</time>{' '}
              <span class="small muted" dir="ltr">
                {reminder.timezone}
              </span>
              <span class="small muted block">
                {w(STATES[reminder.status])}
                {reminder.agent_display_name !== null && (
                  <>
                    {' · '}
                    <bdi>{reminder.agent_display_name}</bdi>
                  </>
                )}
              </span>
            </p>
            <fieldset class="row">
              <legend class="sr">{time(reminder)}</legend>
              {reminder.status === 'pending' && (
                <button
                  type="button"
                  class="link-button"
                  onClick={() => void change('POST', `/me/reminders/${reminder.id}/cancel`)}
                >
                  {w('cancelReminder')}
                </button>
              )}
              <button
                type="button"
                class="link-button"
                onClick={() => void change('DELETE', `/me/reminders/${reminder.id}`)}
              >
                {w('remove')}
              </button>
            </fieldset>
          </li>
        ))}
      </ul>
      {next !== null && (
        <button type="button" class="button" onClick={() => void task.run(() => load(next))}>
          {w('more')}
        </button>
      )}
      <NewReminder busy={task.busy} onAdd={add} />
      <Said task={task} />
    </Section>
  )
}

function NewReminder(props: {
  busy: boolean
  onAdd: (text: string, dueAt: string) => Promise<boolean>
}) {
  const { w } = useAccount()
  const [text, setText] = useState('')
  const [dueAt, setDueAt] = useState('')
  const isReady = text.trim() !== '' && dueAt !== '' && !props.busy
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
        void props.onAdd(text.trim(), dueAt).then((isPlanned) => isPlanned && setText(''))
      }}
    >
      <TextField label={w('reminderText')} value={text} onInput={setText} />
      <TextField label={w('reminderAt')} type="datetime-local" value={dueAt} onInput={setDueAt} />
      <div class="row">
        <button type="submit" class="button" aria-disabled={!isReady}>
          {w('remind')}
        </button>
      </div>
    </form>
  )
}
