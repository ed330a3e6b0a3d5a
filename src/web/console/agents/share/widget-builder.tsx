import { useState } from 'preact/hooks'
import { LANGUAGES } from '../../../kit/prefs'
import { CodeBlock, NumberField, SelectField, TextField } from '../../parts'
import { Link } from '../../router'
import type { ShareData } from './load-share'
import {
  isColour,
  SNIPPET_DEFAULTS,
  type SnippetOptions,
  writePolicy,
  writeSnippet,
} from './snippet'
import { WidgetPreview } from './widget-preview'
import { useShareWords } from './words'

/** The script that puts the chat on a site, with every choice it takes, and how that looks. */
export function WidgetBuilder({ data }: { data: ShareData }) {
  const t = useShareWords()
  const [options, setOptions] = useState(SNIPPET_DEFAULTS)
  const { agent, alias, tenant } = data
  const origin = new URL(alias.url_prefix).origin
  const snippet = writeSnippet({ origin, tenant: tenant.id, agent: agent.name }, options)
  return (
    <section class="card stack" aria-labelledby="share-widget">
      <div>
        <h2 id="share-widget">{t('widgetTitle')}</h2>
        <p class="muted small">{t('widgetHint')}</p>
      </div>
      <div class="widget-builder">
        <div class="stack">
          <Choices options={options} accent={tenant.accent} onChange={setOptions} />
        </div>
        <WidgetPreview data={data} options={options} />
      </div>
      <div class="stack">
        <h3>{t('snippet')}</h3>
        <p class="hint">{t('snippetHint')}</p>
        <CodeBlock text={snippet} label={t('snippet')} />
        {options.launcher === 'none' && (
          <>
            <p class="hint">{t('launcherNoneHint')}</p>
            <CodeBlock text="<button data-open-chat>Chat</button>" label={t('launcher_none')} />
          </>
        )}
        <h3>{t('policy')}</h3>
        <p class="hint">{t('policyHint')}</p>
        <CodeBlock text={writePolicy(origin)} label={t('policy')} />
        <p class="small">
          {tenant.widgetOrigins.length === 0
            ? t('originsAny')
            : t('originsSome', { sites: tenant.widgetOrigins.join(', ') })}{' '}
          <Link to="/settings/general">{t('originsChange')}</Link>
        </p>
      </div>
    </section>
  )
}

interface ChoicesProps {
  options: SnippetOptions
  accent: string | null
  onChange: (options: SnippetOptions) => void
}

function Choices({ options, accent, onChange }: ChoicesProps) {
  const t = useShareWords()
  const set = <Key extends keyof SnippetOptions>(key: Key, value: SnippetOptions[Key]) =>
    onChange({ ...options, [key]: value })
  return (
    <>
      <div class="grid2">
        <SelectField
          label={t('language')}
          value={options.lang}
          options={[
            { value: 'auto', label: t('langAuto') },
            ...LANGUAGES.map(([value, label]) => ({ value, label })),
          ]}
          onChange={(value) => set('lang', value)}
        />
        <SelectField
          label={t('theme')}
          value={options.theme}
          options={(['auto', 'light', 'dark'] as const).map((value) => ({
            value,
            label: t(`theme_${value}`),
          }))}
          onChange={(value) => set('theme', value)}
        />
        <TextField
          mono
          label={t('accent')}
          hint={t('accentHint')}
          placeholder={accent ?? '#0b6b5d'}
          value={options.accent}
          maxLength={7}
          error={options.accent === '' || isColour(options.accent) ? null : t('accentWrong')}
          onInput={(value) => set('accent', value)}
        />
        <SelectField
          label={t('launcher')}
          value={options.launcher}
          options={(['bubble', 'label', 'none'] as const).map((value) => ({
            value,
            label: t(`launcher_${value}`),
          }))}
          onChange={(value) => set('launcher', value)}
        />
        <TextField
          label={t('label')}
          hint={t('labelHint')}
          value={options.label}
          maxLength={60}
          onInput={(value) => set('label', value)}
        />
        <SelectField
          label={t('open')}
          value={options.open}
          options={(['no', 'once', 'always'] as const).map((value) => ({
            value,
            label: t(`open_${value}`),
          }))}
          onChange={(value) => set('open', value)}
        />
        <SelectField
          label={t('position')}
          value={options.position}
          options={(['end', 'start'] as const).map((value) => ({
            value,
            label: t(`position_${value}`),
          }))}
          onChange={(value) => set('position', value)}
        />
        <SelectField
          label={t('greeting')}
          value={options.greeting}
          options={[
            { value: 'agent', label: t('greeting_agent') },
            { value: 'off', label: t('greeting_off') },
          ]}
          onChange={(value) => set('greeting', value)}
        />
        <NumberField
          label={t('offsetX')}
          unit="px"
          min={0}
          max={400}
          value={options.offsetX}
          onInput={(value) => set('offsetX', value ?? SNIPPET_DEFAULTS.offsetX)}
        />
        <NumberField
          label={t('offsetY')}
          unit="px"
          min={0}
          max={400}
          value={options.offsetY}
          onInput={(value) => set('offsetY', value ?? SNIPPET_DEFAULTS.offsetY)}
        />
      </div>
      <details>
        <summary>{t('rarely')}</summary>
        <div class="grid2">
          <TextField
            mono
            label={t('target')}
            hint={t('targetHint')}
            placeholder="#chat"
            value={options.target}
            onInput={(value) => set('target', value)}
          />
          <TextField
            mono
            label="nonce"
            hint={t('nonceHint')}
            value={options.nonce}
            onInput={(value) => set('nonce', value)}
          />
          <NumberField
            label={t('zIndex')}
            hint={t('zIndexHint')}
            min={0}
            max={2_147_483_647}
            value={options.zIndex}
            onInput={(value) => set('zIndex', value ?? SNIPPET_DEFAULTS.zIndex)}
          />
        </div>
      </details>
    </>
  )
}
