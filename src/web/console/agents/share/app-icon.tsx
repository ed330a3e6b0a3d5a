import { useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import { Button, ConfirmDialog, FileField, Problem, RadioGroup, useToast } from '../../parts'
import { useAct } from '../../use-load'
import { agentApi } from '../paths'
import type { AppSettings, ShareData } from './load-share'
import { useShareWords } from './words'

const PROMPTS = ['off', 'manual', 'auto'] as const
const MAX_BYTES = 1024 * 1024
const MASKS = ['circle', 'rounded', 'square'] as const

interface Props {
  data: ShareData
  onStored: (app: AppSettings) => void
}

/** The agent's page as an app on people's devices. */
export function AppIcon({ data: { agent, app }, onStored }: Props) {
  const t = useShareWords()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const prompt = useAct()
  const [tooLarge, setTooLarge] = useState(false)
  const [asks, setAsks] = useState(false)
  const path = `${agentApi(agent.name)}/pwa`
  const send = ([file]: File[]) => {
    setTooLarge(file !== undefined && file.size > MAX_BYTES)
    if (file === undefined || file.size > MAX_BYTES) return
    const form = new FormData()
    form.append('file', file)
    void act(async () => {
      onStored(await api.post<AppSettings>(`${path}/icon`, form))
      say(t('iconSaved'))
    })
  }
  return (
    <section class="card stack" aria-labelledby="share-app">
      <div>
        <h2 id="share-app">{t('appTitle')}</h2>
        <p class="muted small">{t('appHint')}</p>
      </div>
      <RadioGroup
        label={t('installPrompt')}
        value={app.install_prompt}
        options={PROMPTS.map((value) => ({
          value,
          label: t(`install_${value}`),
          hint: t(`install_${value}_hint`),
        }))}
        onChange={(install_prompt) =>
          void prompt.act(async () => {
            onStored(await api.patch<AppSettings>(path, { install_prompt }))
            say(t('installSaved'))
          })
        }
      />
      <Problem of={prompt.problem} />
      <div class="stack">
        <h3>{t('icon')}</h3>
        <Previews app={app} name={agent.display_name ?? agent.name} />
        <FileField
          label={t('iconChoose')}
          hint={t('iconHint')}
          accept="image/png,image/jpeg,image/webp"
          disabled={busy}
          onFiles={send}
        />
        {tooLarge && (
          <p class="error" role="alert">
            {t('iconTooLarge')}
          </p>
        )}
        {app.icon512_url !== null && (
          <div class="row">
            <Button small icon="trash" onClick={() => setAsks(true)}>
              {t('iconRemove')}
            </Button>
          </div>
        )}
        <Problem of={problem} />
      </div>
      {asks && (
        <ConfirmDialog
          title={t('iconRemove')}
          text={t('iconRemoveText')}
          confirm={t('iconRemove')}
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            onStored(await api.del<AppSettings>(`${path}/icon`))
            say(t('iconRemoved'))
          }}
        />
      )}
    </section>
  )
}

/** The icon as devices cut it: each in its own shape. */
function Previews({ app, name }: { app: AppSettings; name: string }) {
  const t = useShareWords()
  const { icon_maskable_url: masked, icon192_url: plain } = app
  if (masked === null || plain === null) return <p class="muted">{t('iconNone')}</p>
  return (
    <ul class="icon-previews" aria-label={t('iconPreviews')}>
      {MASKS.map((mask) => (
        <li key={mask}>
          <img class={`icon-mask ${mask}`} src={ownPath(masked)} alt="" width="72" height="72" />
          <bdi class="small icon-name">{name}</bdi>
          <span class="muted small">{t(`mask_${mask}`)}</span>
        </li>
      ))}
      <li>
        <img class="icon-mask plain" src={ownPath(plain)} alt="" width="72" height="72" />
        <bdi class="small icon-name">{name}</bdi>
        <span class="muted small">{t('mask_plain')}</span>
      </li>
    </ul>
  )
}

/** Pictures come from this page's own origin, whatever the deployment calls itself. */
const ownPath = (url: string): string => new URL(url, location.href).pathname
