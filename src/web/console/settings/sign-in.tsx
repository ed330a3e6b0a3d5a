import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { CallThisApi, ConfirmDialog, Loadable, Notice, RadioGroup, useToast } from '../parts'
import { type Loaded, useLoad } from '../use-load'
import { Card, SettingsPage } from './settings-page'
import { Provider } from './sign-in/provider'
import { SmtpCard } from './sign-in/smtp'
import { useSignInWords } from './sign-in/words'
import type { Settings } from './types'

export { words } from './sign-in/words'

const PATH = '/v1/tenant/settings'

export function Screen() {
  const settings = useLoad((api, signal) => api.get<Settings>(PATH, undefined, signal), [])
  return (
    <SettingsPage
      tab="signIn"
      actions={<CallThisApi method="PATCH" path={PATH} body={{ auth_mode: 'native' }} />}
    >
      <Loadable of={settings}>
        {(data) => (
          <div class="stack">
            <Mode settings={data} onSaved={settings.set} />
            <Providers settings={data} loaded={settings} />
            <SmtpCard smtp={data.smtp} onSaved={settings.set} />
          </div>
        )}
      </Loadable>
    </SettingsPage>
  )
}

interface ModeProps {
  settings: Settings
  onSaved: (settings: Settings) => void
}

/** Who may come in hangs on it, so it is asked about, and stored by itself. */
function Mode({ settings, onSaved }: ModeProps) {
  const t = useSignInWords()
  const api = useApi()
  const say = useToast()
  const [wished, setWished] = useState<Settings['auth_mode'] | null>(null)
  const { auth_mode } = settings
  return (
    <Card title={t('authMode')} text={t('authModeText')}>
      <RadioGroup
        label={t('authModeWho')}
        value={wished ?? auth_mode}
        options={[
          { value: 'native', label: t('native'), hint: t('nativeHint') },
          { value: 'proxy', label: t('proxy'), hint: t('proxyHint') },
        ]}
        onChange={(mode) => setWished(mode === auth_mode ? null : mode)}
      />
      {wished !== null && (
        <ConfirmDialog
          title={t('switchMode')}
          text={t(wished === 'proxy' ? 'toProxyText' : 'toNativeText')}
          lost={wished === 'proxy' ? [t('lostLogin'), t('lostRegister')] : [t('lostProxy')]}
          confirm={t('switchModeGo')}
          danger
          onConfirm={async () => {
            onSaved(await api.patch<Settings>(PATH, { auth_mode: wished }))
            say(t('saved'))
          }}
          onClose={() => setWished(null)}
        />
      )}
    </Card>
  )
}

function Providers({ settings, loaded }: { settings: Settings; loaded: Loaded<Settings> }) {
  const t = useSignInWords()
  return (
    <Card title={t('providers')} text={t('providersText')}>
      {settings.auth_mode === 'proxy' && <Notice tone="info">{t('proxyNoProviders')}</Notice>}
      <div class="settings-list">
        {settings.oauth.map((one) => (
          <Provider key={one.provider} provider={one} onChanged={loaded.reload} />
        ))}
      </div>
    </Card>
  )
}
