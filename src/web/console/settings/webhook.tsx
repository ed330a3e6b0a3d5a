import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Badge,
  Button,
  CallThisApi,
  ConfirmDialog,
  Empty,
  KeyValues,
  Loadable,
  Notice,
  Page,
  Problem,
  Time,
  useToast,
} from '../parts'
import { navigate } from '../router'
import type { ScreenProps } from '../screens'
import { useAct, useLoad } from '../use-load'
import { useFormat, useShell } from '../words'
import { Card } from './settings-page'
import type { Delivery, Webhook } from './types'
import { WebhookState } from './webhooks'
import { Deliveries } from './webhooks/deliveries'
import { Failure } from './webhooks/failure'
import { EVENTS } from './webhooks/webhook-events'
import { useWebhookWords, type WebhookKey } from './webhooks/words'

export { words } from './webhooks/words'

const PATH = '/v1/tenant/webhooks'

/** There is no call for a single one: they are few, so it is found in the list. */
export function Screen({ params }: ScreenProps) {
  const t = useWebhookWords()
  const id = params.id ?? ''
  const webhook = useLoad(
    async (api, signal) => {
      const all = await api.get<Webhook[]>(PATH, undefined, signal)
      return { found: all.find((one) => one.id === id) ?? null }
    },
    [id],
  )
  return (
    <Page
      title={t('webhook')}
      crumbs={[{ label: t('webhooks'), to: '/settings/webhooks' }]}
      actions={<CallThisApi method="POST" path={`${PATH}/${id}/test`} />}
    >
      <Loadable of={webhook}>
        {({ found }) =>
          found === null ? (
            <Empty title={t('webhookGone')} />
          ) : (
            <Details webhook={found} onChanged={webhook.reload} />
          )
        }
      </Loadable>
    </Page>
  )
}

function Details({ webhook, onChanged }: { webhook: Webhook; onChanged: () => void }) {
  const t = useWebhookWords()
  const shell = useShell()
  const format = useFormat()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const [tested, setTested] = useState<Delivery | null>(null)
  const [round, setRound] = useState(0)
  const [removing, setRemoving] = useState(false)
  const { id, url, events, description, status, disabled_reason, failing_since } = webhook
  const test = () =>
    act(async () => {
      setTested(await api.post<Delivery>(`${PATH}/${id}/test`))
      setRound((n) => n + 1)
      onChanged()
    })
  const names = events.map((event) => {
    const word = (EVENTS as Readonly<Record<string, WebhookKey>>)[event]
    return word ? t(word) : event
  })
  return (
    <div class="stack">
      <Card title={new URL(url).host} aside={<WebhookState webhook={webhook} />}>
        {status === 'disabled' && (
          <Notice tone="bad">
            {t(disabled_reason === 'gone' ? 'disabledGone' : 'disabledFailing')}
          </Notice>
        )}
        <KeyValues
          rows={[
            [
              t('webhookUrl'),
              <code key="url" dir="ltr" class="settings-code">
                {url}
              </code>,
            ],
            [shell('description'), <bdi key="about">{description ?? shell('none')}</bdi>],
            [t('events'), format.list(names)],
            [shell('created'), <Time key="created" at={webhook.created_at} />],
            [t('lastDelivery'), <Time key="last" at={webhook.last_delivery_at} />],
            ...(failing_since === null
              ? []
              : ([[t('failingSince'), <Time key="failing" at={failing_since} />]] as const)),
          ]}
        />
        <Problem of={problem} />
        <div role="status">
          {tested && (
            <Notice tone={tested.status === 'delivered' ? 'ok' : 'bad'}>
              {tested.status === 'delivered'
                ? t('testArrived', { status: String(tested.response_status ?? '') })
                : t('testFailed')}
              {tested.error && (
                <>
                  {' '}
                  <Failure error={tested.error} />
                </>
              )}
            </Notice>
          )}
        </div>
        <div class="row spread">
          <div class="row">
            <Button icon="play" busy={busy} onClick={() => void test()}>
              {t('sendTestEvent')}
            </Button>
            <Badge tone="quiet">{t('signed')}</Badge>
          </div>
          <Button kind="danger" icon="trash" onClick={() => setRemoving(true)}>
            {shell('delete')}
          </Button>
        </div>
      </Card>
      <Deliveries key={round} webhook={webhook} />
      {removing && (
        <ConfirmDialog
          title={t('deleteWebhookTitle')}
          text={t('deleteWebhookText', { url })}
          lost={[t('lostDeliveries'), t('lostSecret')]}
          confirm={shell('delete')}
          danger
          onConfirm={async () => {
            await api.del(`${PATH}/${id}`)
            say(t('webhookDeleted'))
            navigate('/settings/webhooks')
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </div>
  )
}
