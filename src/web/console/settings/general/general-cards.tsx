import { useId } from 'preact/hooks'
import { LANGUAGES } from '../../../kit/prefs'
import {
  CheckList,
  Copy,
  type Editor,
  KeyValues,
  SelectField,
  SwitchField,
  TextArea,
  TextField,
} from '../../parts'
import { useShell } from '../../words'
import type { AgentChoice, Draft } from '../general'
import { Card } from '../settings-page'
import { Logo } from './logo'
import { useGeneralWords } from './words'

interface CardProps {
  editor: Editor<Draft>
}

export function OrganisationCard({ editor, tenantId }: CardProps & { tenantId: string }) {
  const t = useGeneralWords()
  const shell = useShell()
  const { draft, set, error } = editor
  return (
    <Card title={t('organisation')} text={t('organisationText')}>
      <div class="grid2">
        <TextField
          label={shell('name')}
          value={draft.name}
          maxLength={120}
          onInput={(name) => set('name', name)}
          error={error('name')}
          hint={t('nameHint')}
        />
        <TextField
          label={t('alias')}
          mono
          optional
          value={draft.alias}
          maxLength={63}
          onInput={(alias) => set('alias', alias)}
          error={error('alias')}
          hint={
            <>
              {t('aliasHint')}{' '}
              <code dir="ltr">
                {location.origin}/a/{draft.alias || tenantId}/…
              </code>
            </>
          }
        />
        <TextField
          label={t('company')}
          optional
          value={draft.company}
          maxLength={200}
          onInput={(company) => set('company', company)}
          hint={t('companyHint')}
        />
        <TextField
          label={t('website')}
          type="url"
          optional
          value={draft.website}
          maxLength={200}
          placeholder="https://example.com"
          onInput={(website) => set('website', website)}
          error={error('website')}
          hint={t('websiteHint')}
        />
        <TextField
          label={t('contactEmail')}
          type="email"
          optional
          value={draft.contact_email}
          onInput={(address) => set('contact_email', address)}
          error={error('contact_email')}
          hint={t('contactEmailHint')}
        />
        <SelectField
          label={t('timezone')}
          value={draft.timezone}
          options={[
            { value: '', label: t('noTimezone') },
            ...zones(draft.timezone).map((zone) => ({ value: zone, label: zone })),
          ]}
          onChange={(zone) => set('timezone', zone)}
          hint={t('timezoneHint')}
        />
      </div>
      <div class="settings-columns">
        <CheckList
          label={t('languages')}
          options={LANGUAGES.map(([value, label]) => ({ value, label }))}
          value={draft.languages}
          onChange={(languages) => set('languages', languages)}
          hint={t('languagesHint')}
        />
      </div>
      <KeyValues
        rows={[
          [
            t('accountId'),
            <span key="id" class="row">
              <code dir="ltr" class="settings-code">
                {tenantId}
              </code>
              <Copy text={tenantId} />
            </span>,
          ],
        ]}
      />
    </Card>
  )
}

/** One that the browser does not list, but that is set, stays to be chosen. */
function zones(current: string): string[] {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone')]
  return current === '' || known.includes(current) ? known : [current, ...known]
}

const OWN_ACCENT = '#0b6b5d'

export function BrandCard({ editor, logo }: CardProps & { logo: string | null }) {
  const t = useGeneralWords()
  const id = useId()
  const { draft, set, error } = editor
  const isColour = /^#[0-9a-f]{6}$/i.test(draft.accent)
  return (
    <Card title={t('brand')} text={t('brandText')}>
      <div class="grid2">
        <div class="settings-accent">
          <label class="sr" for={id}>
            {t('pickColour')}
          </label>
          <input
            id={id}
            type="color"
            value={isColour ? draft.accent : OWN_ACCENT}
            onInput={(event) => set('accent', event.currentTarget.value)}
          />
          <TextField
            label={t('accent')}
            mono
            optional
            value={draft.accent}
            maxLength={7}
            placeholder={OWN_ACCENT}
            onInput={(accent) => set('accent', accent.trim())}
            error={error('accent')}
            hint={t('accentHint')}
          />
        </div>
        <Logo address={logo} />
      </div>
    </Card>
  )
}

export function PagesCard({ editor, agents }: CardProps & { agents: readonly AgentChoice[] }) {
  const t = useGeneralWords()
  const shell = useShell()
  const { draft, set, error } = editor
  const isGone =
    draft.default_agent !== '' && !agents.some(({ name }) => name === draft.default_agent)
  return (
    <Card title={t('pages')} text={t('pagesText')}>
      <SelectField
        label={t('defaultAgent')}
        value={draft.default_agent}
        options={[
          { value: '', label: t('oldestAgent') },
          ...agents.map(({ name, published }) => ({
            value: name,
            label: published ? name : `${name} (${shell('draft')})`,
          })),
          ...(isGone
            ? [
                {
                  value: draft.default_agent,
                  label: `${draft.default_agent} (${shell('notThere')})`,
                },
              ]
            : []),
        ]}
        onChange={(name) => set('default_agent', name)}
        hint={t('defaultAgentHint')}
      />
      <SwitchField
        label={t('publicPages')}
        checked={draft.public_pages}
        onChange={(on) => set('public_pages', on)}
        hint={t('publicPagesHint')}
      />
      <SwitchField
        label={t('anySite')}
        checked={draft.any_site}
        onChange={(on) => set('any_site', on)}
        hint={t('anySiteHint')}
      />
      {!draft.any_site && (
        <TextArea
          label={t('widgetOrigins')}
          mono
          rows={4}
          value={draft.widget_origins}
          placeholder={'https://example.com\nhttps://*.example.com'}
          onInput={(text) => set('widget_origins', text)}
          error={error('widget_origins')}
          hint={t('widgetOriginsHint')}
        />
      )}
    </Card>
  )
}

export function OtherCard({ editor }: CardProps) {
  const t = useGeneralWords()
  const { draft, set, error } = editor
  const wrong = error('other') ?? error('profile')
  return (
    <details class="card settings-other" open={wrong !== null}>
      <summary>{t('otherFields')}</summary>
      <TextArea
        label={t('otherJson')}
        mono
        rows={6}
        value={draft.other}
        placeholder={'{ "segment": "retail" }'}
        onInput={(text) => set('other', text)}
        error={wrong}
        hint={t('otherHint')}
      />
    </details>
  )
}
