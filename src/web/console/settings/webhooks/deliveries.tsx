import { useApi } from '../../api/call'
import { Badge, Button, ListView, Problem, Segmented, Time, useToast } from '../../parts'
import { useQuery } from '../../router'
import { useAct, useList } from '../../use-load'
import { useShell } from '../../words'
import type { Delivery, Webhook } from '../types'
import { Failure } from './failure'
import { EVENTS } from './webhook-events'
import { useWebhookWords, type WebhookKey } from './words'

const STATES = {
  delivered: ['ok', 'delivered'],
  failed: ['bad', 'notDelivered'],
  pending: ['info', 'waiting'],
} as const
const FILTERS = ['all', 'delivered', 'failed', 'pending'] as const

/** What it is about: the words at once, the ids when they are wanted. */
function About({ data }: Pick<Delivery, 'data'>) {
  const told = Object.entries(data)
  const words = told.filter(([name]) => !name.endsWith('_id'))
  const first = words.length > 0 ? words : told
  const rest = told.filter((one) => !first.includes(one))
  const lines = (entries: typeof told) =>
    entries.map(([name, value]) => <div key={name}>{`${name}: ${value}`}</div>)
  return (
    <div class="settings-code small mono" dir="ltr">
      {rest.length === 0 ? (
        lines(first)
      ) : (
        <details>
          <summary>{first.map(([name, value]) => `${name}: ${value}`).join(', ')}</summary>
          {lines(rest)}
        </details>
      )}
    </div>
  )
}

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useWebhookWords()
  const shell = useShell()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const [query, setQuery] = useQuery()
  const filter = FILTERS.find((one) => one === query.get('status')) ?? 'all'
  const path = `/v1/tenant/webhooks/${webhook.id}/deliveries`
  const list = useList<Delivery>(path, { status: filter === 'all' ? null : filter })
  const replay = (delivery: Delivery) =>
    act(async () => {
      await api.post(`${path}/${delivery.id}/replay`)
      say(t('replayed'))
      list.reload()
    })
  const nameOf = (type: string) => {
    const word = (EVENTS as Readonly<Record<string, WebhookKey>>)[type]
    return word ? t(word) : type === 'webhook.test' ? t('eventTest') : type
  }
  return (
    <section class="stack">
      <div class="row settings-deliveries">
        <h2>{t('deliveries')}</h2>
        <Segmented
          label={shell('status')}
          value={filter}
          options={FILTERS.map((value) => ({
            value,
            label: value === 'all' ? shell('all') : t(STATES[value][1]),
          }))}
          onChange={(status) => setQuery({ status: status === 'all' ? null : status })}
        />
        <Button small kind="quiet" icon="retry" onClick={list.reload}>
          {shell('reload')}
        </Button>
      </div>
      <Problem of={problem} />
      <ListView
        list={list}
        caption={t('deliveries')}
        keyOf={(delivery) => delivery.id}
        empty={{ title: t('noDeliveries'), text: t('noDeliveriesText') }}
        columns={[
          {
            key: 'type',
            label: t('event'),
            primary: true,
            cell: (delivery) => (
              <>
                {nameOf(delivery.type)}
                {delivery.replay_of !== null && <span class="muted small"> · {t('isReplay')}</span>}
              </>
            ),
          },
          {
            key: 'status',
            label: shell('status'),
            cell: (delivery) => {
              const [tone, word] = STATES[delivery.status]
              return <Badge tone={tone}>{t(word)}</Badge>
            },
          },
          {
            key: 'answer',
            label: t('answer'),
            cell: (delivery) => (
              <>
                {delivery.response_status}{' '}
                {delivery.error && (
                  <span class="muted small">
                    <Failure error={delivery.error} />
                  </span>
                )}
              </>
            ),
          },
          {
            key: 'attempts',
            label: t('attempts'),
            numeric: true,
            cell: (delivery) => delivery.attempts,
          },
          {
            key: 'at',
            label: t('happened'),
            cell: (delivery) => <Time at={delivery.happened_at} />,
          },
          {
            key: 'next',
            label: t('nextAttempt'),
            cell: (delivery) =>
              delivery.next_attempt_at === null ? '' : <Time at={delivery.next_attempt_at} ahead />,
          },
          {
            key: 'about',
            label: t('about'),
            cell: (delivery) => <About data={delivery.data} />,
          },
          {
            key: 'actions',
            label: shell('actions'),
            quiet: true,
            cell: (delivery) =>
              webhook.status === 'active' &&
              delivery.status !== 'pending' && (
                <Button
                  small
                  kind="quiet"
                  busy={busy}
                  label={t('replayOf', { name: nameOf(delivery.type) })}
                  onClick={() => void replay(delivery)}
                >
                  {t('replay')}
                </Button>
              ),
          },
        ]}
      />
    </section>
  )
}
