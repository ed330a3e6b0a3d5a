import { useEffect, useState } from 'preact/hooks'
import type { Remembered } from './account-api'
import { Confirm, Said, Section, useAccount, useTask } from './parts'

/** What each agent remembers of the person in one space, to be read and forgotten. */
export function RememberedSection({ space }: { space: string }) {
  const { api, w } = useAccount()
  const task = useTask()
  const [items, setItems] = useState<readonly Remembered[] | null>(null)
  const [asked, setAsked] = useState<string | null>(null)

  const load = async () => {
    setItems(await api.call<Remembered[]>('GET', '/me/remembered', undefined, space))
    return null
  }
  useEffect(() => {
    void task.run(load)
  }, [api])

  const forget = (agent: string) =>
    task.run(async () => {
      const path = `/me/remembered/${encodeURIComponent(agent)}`
      await api.call('DELETE', path, undefined, space)
      setAsked(null)
      await load()
      return 'done'
    })
  return (
    <Section title={w('remembered')}>
      {items?.length === 0 && <p class="muted">{w('nothing')}</p>}
      <ul class="items">
        {items?.map(({ agent_name: name, agent_display_name: agent, ...item }) => (
          <li key={name} class="item">
            <p>
              <strong>{w('points', { agent })}</strong>{' '}
              {item.from_anonymous && <span class="badge">{w('fromVisit')}</span>}
            </p>
            {item.points.length > 0 ? (
              <ul class="points" dir="auto">
                {item.points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            ) : (
              <p dir="auto">{item.content}</p>
            )}
            {asked === name ? (
              <Confirm
                text={w('forgetSure', { agent })}
                action={w('remove')}
                busy={task.busy}
                onCancel={() => setAsked(null)}
                onConfirm={() => void forget(name)}
              />
            ) : (
              <button
                type="button"
                class="link-button"
                aria-label={`${w('forget')}: ${agent}`}
                onClick={() => setAsked(name)}
              >
                {w('forget')}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Said task={task} />
    </Section>
  )
}
