import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  CallThisApi,
  ConfirmDialog,
  Loadable,
  NumberField,
  SaveBar,
  SwitchField,
  useEditor,
  useToast,
} from '../parts'
import { useLoad } from '../use-load'
import { OwnModel } from './privacy/own-model'
import { usePrivacyWords } from './privacy/words'
import { Card, SettingsPage } from './settings-page'
import type { Privacy, Settings } from './types'

export { words } from './privacy/words'

const PATH = '/v1/tenant/privacy'
const SETTINGS = '/v1/tenant/settings'

export function Screen() {
  const loaded = useLoad(async (api, signal) => {
    const [privacy, settings] = await Promise.all([
      api.get<Privacy>(PATH, undefined, signal),
      api.get<Settings>(SETTINGS, undefined, signal),
    ])
    return { privacy, settings }
  }, [])
  return (
    <SettingsPage
      tab="privacy"
      actions={<CallThisApi method="PUT" path={PATH} body={{ privacy_mode: true }} />}
    >
      <Loadable of={loaded}>
        {({ privacy, settings }) => {
          const onSaved = (next: Privacy) => loaded.set({ privacy: next, settings })
          return (
            <div class="stack">
              <Mode privacy={privacy} onSaved={onSaved} />
              <OwnModel privacy={privacy} status={settings.model_status} onSaved={onSaved} />
              <Ceiling settings={settings} />
            </div>
          )
        }}
      </Loadable>
    </SettingsPage>
  )
}

interface ModeProps {
  privacy: Privacy
  onSaved: (privacy: Privacy) => void
}

function Mode({ privacy, onSaved }: ModeProps) {
  const t = usePrivacyWords()
  const api = useApi()
  const say = useToast()
  const [asking, setAsking] = useState(false)
  const isOn = privacy.privacy_mode
  return (
    <Card title={t('privacyMode')} text={t('privacyModeText')}>
      <SwitchField
        label={t('privacyMode')}
        checked={isOn}
        onChange={() => setAsking(true)}
        hint={t(isOn ? 'privacyIsOn' : 'privacyIsOff')}
      />
      <p class="small settings-label">{t('privacyWhileOn')}</p>
      <ul class="muted small settings-points">
        <li>{t('privacyReading')}</li>
        <li>{t('privacyVectors')}</li>
        <li>{t('privacyReviews')}</li>
        <li>{t('privacyBases')}</li>
      </ul>
      {asking && (
        <ConfirmDialog
          title={t(isOn ? 'privacyOffTitle' : 'privacyOnTitle')}
          text={t(isOn ? 'privacyOffText' : 'privacyOnText')}
          lost={isOn ? [] : [t('lostVectors'), t('lostReading'), t('lostReviews')]}
          confirm={t(isOn ? 'switchOff' : 'switchOn')}
          danger={!isOn}
          onConfirm={async () => {
            onSaved(await api.put<Privacy>(PATH, { privacy_mode: !isOn }))
            say(t('saved'))
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}

/** The least that the API takes. */
const LEAST = 1000

function Ceiling({ settings }: { settings: Settings }) {
  const t = usePrivacyWords()
  const api = useApi()
  const editor = useEditor({ tokens: settings.daily_tokens_per_user }, async ({ tokens }) => {
    const saved = await api.patch<Settings>(SETTINGS, { daily_tokens_per_user: tokens })
    return { tokens: saved.daily_tokens_per_user }
  })
  return (
    <Card title={t('dailyTokens')} text={t('dailyTokensText')}>
      <NumberField
        label={t('dailyTokensLabel')}
        optional
        value={editor.draft.tokens}
        min={LEAST}
        step={1}
        placeholder={t('noCeiling')}
        onInput={(tokens) => editor.set('tokens', tokens)}
        error={editor.error('daily_tokens_per_user')}
        hint={t('dailyTokensHint')}
      />
      <SaveBar editor={editor} />
    </Card>
  )
}
