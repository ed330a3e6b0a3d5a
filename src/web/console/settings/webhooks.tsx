import { useState } from 'preact/hooks'
import { Badge, Button, CallThisApi, ListView, Time } from '../parts'
import { to } from '../router'
import { useList } from '../use-load'
import { useShell } from '../words'
import { SettingsPage } from './settings-page'
import type { Webhook } from './types'
import { NewWebhook } from './webhooks/new-webhook'
import { EVENTS } from './webhooks/webhook-events'
import { useWebhookWords } from './webhooks/words'

export { words } from './webhooks/words'

const PATH = '/v1/tenant/webhooks'

export function Screen() {
  const t = useWebhookWords()
  const shell = useShell()
  const [creating, setCreating] = useState(false)
  const list = useList<Webhook>(PATH)
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('newWebhook')}
    </Button>
  )
  return (
    <SettingsPage
      tab="webhooks"
      actions={
        <>
          <CallThisApi
            method="POST"
            path={PATH}
            body={{ url: 'https://example.com/hook', events: ['turn.completed'] }}
          />
          {create}
        </>
      }
    >
      <ListView
        list={list}
        caption={t('webhooks')}
        keyOf={(webhook) => webhook.id}
        to={(webhook) => to`/settings/webhooks/${webhook.id}`}
        empty={{ title: t('noWebhooks'), text: t('noWebhooksText'), action: create }}
        columns={[
          {
            key: 'url',
            label: t('webhookUrl'),
            primary: true,
            cell: (webhook) => (
              <span class="settings-code" dir="ltr">
                {webhook.url}
              </span>
            ),
          },
          {
            key: 'about',
            label: shell('description'),
            cell: (webhook) => <bdi>{webhook.description}</bdi>,
          },
          {
            key: 'events',
            label: t('events'),
            cell: (webhook) =>
              webhook.events.length === Object.keys(EVENTS).length
                ? t('allEvents')
                : t('eventCount', { n: webhook.events.length }),
          },
          {
            key: 'status',
            label: shell('status'),
            cell: (webhook) => <WebhookState webhook={webhook} />,
          },
          {
            key: 'last',
            label: t('lastDelivery'),
            cell: (webhook) => <Time at={webhook.last_delivery_at} />,
          },
        ]}
      />
      {creating && <NewWebhook onClose={() => setCreating(false)} onCreated={list.reload} />}
    </SettingsPage>
  )
}

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const t = useWebhookWords()
  if (webhook.status === 'disabled') return <Badge tone="bad">{t('webhookOff')}</Badge>
  if (webhook.failing_since !== null) return <Badge tone="warn">{t('webhookFailing')}</Badge>
  return <Badge tone="ok">{t('webhookOn')}</Badge>
}
