import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Badge,
  Button,
  CallThisApi,
  ConfirmDialog,
  Copy,
  KeyValues,
  Loadable,
  SecretField,
  Time,
  useToast,
} from '../parts'
import { useGuard } from '../router'
import { useAct, useLoad } from '../use-load'
import { useFormat, useShell } from '../words'
import { useChannelWords } from './channels/words'
import { Refused } from './refused'
import { Card, SettingsPage } from './settings-page'
import type { Channel } from './types'

export { words } from './channels/words'

const PATH = '/v1/tenant/channels'
const NAMES = { telegram: 'Telegram' } as const

export function Screen() {
  const channels = useLoad((api, signal) => api.get<Channel[]>(PATH, undefined, signal), [])
  return (
    <SettingsPage
      tab="channels"
      actions={<CallThisApi method="PUT" path={`${PATH}/telegram`} body={{ token: '…' }} />}
    >
      <Loadable of={channels}>
        {(all) => (
          <div class="stack">
            {all.map((one) => (
              <ChannelCard
                key={one.channel}
                channel={one}
                onChanged={(next) =>
                  channels.set(all.map((was) => (was.channel === next.channel ? next : was)))
                }
              />
            ))}
          </div>
        )}
      </Loadable>
    </SettingsPage>
  )
}

interface Props {
  channel: Channel
  onChanged: (channel: Channel) => void
}

function ChannelCard({ channel, onChanged }: Props) {
  const t = useChannelWords()
  const shell = useShell()
  const format = useFormat()
  const api = useApi()
  const say = useToast()
  const [removing, setRemoving] = useState(false)
  const name = NAMES[channel.channel]
  const path = `${PATH}/${channel.channel}`
  const { configured, bot_name, bot_username, url, webhook_url, linked_users } = channel
  return (
    <Card
      title={name}
      text={t('telegramText')}
      aside={
        configured ? (
          <Badge tone="ok">{t('inUse')}</Badge>
        ) : (
          <Badge tone="quiet">{t('notSet')}</Badge>
        )
      }
    >
      {configured ? (
        <KeyValues
          rows={[
            [
              t('bot'),
              <span key="bot">
                <bdi>{bot_name}</bdi>{' '}
                {url && (
                  <a href={url} target="_blank" rel="noopener noreferrer" dir="ltr">
                    @{bot_username}
                  </a>
                )}
              </span>,
            ],
            [t('linkedUsers'), format.number(linked_users)],
            [
              t('webhookAddress'),
              <span key="hook" class="row">
                <code dir="ltr" class="settings-code">
                  {webhook_url}
                </code>
                <Copy text={webhook_url} />
              </span>,
            ],
            [shell('updated'), <Time key="updated" at={channel.updated_at} />],
          ]}
        />
      ) : (
        <ol class="settings-steps">
          <li>{t('telegramStep1')}</li>
          <li>{t('telegramStep2')}</li>
          <li>{t('telegramStep3')}</li>
        </ol>
      )}
      <TokenForm path={path} configured={configured} onChanged={onChanged} />
      {configured && (
        <div>
          <Button kind="quiet" small onClick={() => setRemoving(true)}>
            {t('disconnect')}
          </Button>
        </div>
      )}
      {removing && (
        <ConfirmDialog
          title={t('disconnectTitle', { name })}
          text={t('disconnectText')}
          lost={[t('lostLinks', { n: linked_users }), t('lostToken')]}
          confirm={t('disconnect')}
          danger
          onConfirm={async () => {
            await api.del(path)
            onChanged(await api.get<Channel>(path))
            say(t('disconnected'))
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </Card>
  )
}

interface TokenProps {
  path: string
  configured: boolean
  onChanged: (channel: Channel) => void
}

function TokenForm({ path, configured, onChanged }: TokenProps) {
  const t = useChannelWords()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const [token, setToken] = useState('')
  useGuard(token !== '')
  const connect = () =>
    act(async () => {
      onChanged(await api.put<Channel>(path, { token: token.trim() }))
      setToken('')
      say(t('connected'))
    })
  const field = problem?.fields[0]?.message
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void connect()
      }}
    >
      <SecretField
        label={t('botToken')}
        isStored={configured}
        value={token}
        maxLength={256}
        onInput={setToken}
        error={field}
        hint={configured ? t('otherBotHint') : t('tokenHint')}
      />
      {field === undefined && <Refused of={problem} />}
      <div>
        <Button
          kind={configured ? 'plain' : 'primary'}
          type="submit"
          busy={busy}
          disabled={token.trim() === ''}
        >
          {t(configured ? 'replaceToken' : 'connect')}
        </Button>
      </div>
    </form>
  )
}
