import { useEffect, useState } from 'preact/hooks'
import { copyText } from '../ui/copy'
import type { BindCode, LinkedApp } from './account-api'
import { Said, Section, useAccount, useTask } from './parts'

const APPS: Record<string, string> = { telegram: 'Telegram' }
const LOOK_MS = 3000

/** The tenant's messaging apps: linked by a QR code or the code's text, and let go. Nothing where the tenant has none. */
export function AppSection() {
  const { w, apps } = useAccount()
  if (apps.length === 0) return null
  return (
    <Section title={w('channel')}>
      {apps.map((app) => (
        <AppLink key={app.channel} app={app} />
      ))}
    </Section>
  )
}

function AppLink({ app }: { app: LinkedApp }) {
  const { api, w, locale, agentName, agent, reload } = useAccount()
  const task = useTask()
  const [code, setCode] = useState<BindCode | null>(null)
  const [copied, setCopied] = useState(false)
  const name = APPS[app.channel] ?? app.channel
  // With its sign, so that both keep their order where people read from right to left.
  const bot = `@${app.bot_username}`

  useEffect(() => {
    if (code === null || app.linked) return
    const look = setInterval(() => {
      if (Date.parse(code.expires_at) < Date.now()) setCode(null)
      else void reload()
    }, LOOK_MS)
    return () => clearInterval(look)
  }, [code, app.linked, reload])

  const ask = () =>
    task.run(async () => {
      const path = `/me/${app.channel}/bind-code?agent=${encodeURIComponent(agentName)}`
      setCopied(false)
      setCode(await api.call<BindCode>('POST', path))
      return null
    })
  const end = () =>
    task.run(async () => {
      await api.call('DELETE', `/me/channels/${app.channel}`)
      setCode(null)
      await reload()
      return 'done'
    })
  const button = (label: string, onClick: () => void, kind = '') => (
    <button type="button" class={`button ${kind}`} aria-disabled={task.busy} onClick={onClick}>
      {label}
    </button>
  )
  return (
    <div class="app-link">
      {app.linked ? (
        <>
          <p role="status">{w('linkedTo', { bot, agent: app.agent_display_name ?? '' })}</p>
          <div class="row">{button(w('unlink'), () => void end())}</div>
        </>
      ) : code === null ? (
        <>
          <p>{w('channelHint', { agent: agent.name, app: name })}</p>
          <div class="row">{button(w('link', { app: name }), () => void ask(), 'primary')}</div>
        </>
      ) : (
        <div class="bind">
          <QrCode url={code.qr} label={w('qrCode', { app: name })} />
          <div class="bind-words">
            <p>{w('scan', { bot })}</p>
            <p>
              <code class="bind-code" dir="ltr">
                {code.code}
              </code>
            </p>
            <p class="small muted">
              {w('validUntil', { time: locale.time(Date.parse(code.expires_at)) })}
            </p>
            <div class="row">
              <a
                class="button primary"
                href={code.deep_link}
                target="_blank"
                rel="noopener noreferrer"
              >
                {w('openApp', { app: name })}
              </a>
              {button(copied ? locale.t('copied') : w('copyCode'), () => {
                void copyText(code.code).then(setCopied)
              })}
              {button(w('newCode'), () => void ask())}
            </div>
          </div>
        </div>
      )}
      <Said task={task} />
    </div>
  )
}

/** The page loads no data URLs, so the picture goes by an address of its own. */
function QrCode({ url, label }: { url: string; label: string }) {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const svg = decodeURIComponent(url.slice(url.indexOf(',') + 1))
    const made = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [url])
  return address === null ? null : (
    <img class="qr" src={address} alt={label} width="180" height="180" />
  )
}
