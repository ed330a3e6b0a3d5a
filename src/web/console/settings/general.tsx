import { ApiProblem, useApi } from '../api/call'
import { CallThisApi, Loadable, SaveBar, useSharedEditor } from '../parts'
import { useLoad } from '../use-load'
import { useShell } from '../words'
import { BrandCard, OrganisationCard, OtherCard, PagesCard } from './general/general-cards'
import { type Onboarding, readOnboarding, writeOnboarding } from './general/onboarding'
import { OnboardingCard } from './general/onboarding-card'
import { findWrong, type General, readGeneral, writeGeneral } from './general/profile'
import { type GeneralKey, useGeneralWords } from './general/words'
import { SettingsPage } from './settings-page'
import type { Settings } from './types'

export { words } from './general/words'

const PATH = '/v1/tenant/settings'

export interface Draft extends General {
  onboarding: Onboarding
}

export interface AgentChoice {
  name: string
  published: boolean
  alias: string | null
}

/** What the form calls a field. */
const LABELS = {
  alias: 'alias',
  company: 'company',
  website: 'website',
  contact_email: 'contactEmail',
  timezone: 'timezone',
  languages: 'languages',
  default_agent: 'defaultAgent',
  public_pages: 'publicPages',
  accent: 'accent',
  any_site: 'anySite',
  widget_origins: 'widgetOrigins',
  other: 'otherJson',
} as const satisfies Record<Exclude<keyof General, 'name'>, GeneralKey>

const read = (settings: Settings): Draft => ({
  ...readGeneral(settings),
  onboarding: readOnboarding(settings.onboarding_config),
})

export function Screen() {
  const loaded = useLoad(async (api, signal) => {
    const [settings, agents] = await Promise.all([
      api.get<Settings>(PATH, undefined, signal),
      api.get<AgentChoice[]>('/v1/agents', undefined, signal),
    ])
    return { settings, agents }
  }, [])
  return (
    <SettingsPage
      tab="general"
      actions={<CallThisApi method="PATCH" path={PATH} body={{ profile: { company: 'Acme' } }} />}
    >
      <Loadable of={loaded}>{(data) => <GeneralForm {...data} />}</Loadable>
    </SettingsPage>
  )
}

interface Props {
  settings: Settings
  agents: readonly AgentChoice[]
}

function GeneralForm({ settings, agents }: Props) {
  const t = useGeneralWords()
  const shell = useShell()
  const api = useApi()
  const { editor, conflict } = useSharedEditor<Draft>(read(settings), {
    read: async () => read(await api.get<Settings>(PATH)),
    write: async (changed, draft) => {
      const wrong = Object.entries(findWrong(draft))
      if (wrong.length > 0) {
        const fields = wrong.map(([path, word]) => ({ path, message: t(word) }))
        throw new ApiProblem(422, t('checkFields'), null, null, fields)
      }
      const { onboarding, ...general } = changed
      const { profile } = await api.get<Settings>(PATH)
      const patch = writeGeneral(general, draft, profile)
      if (onboarding) patch.onboarding_config = writeOnboarding(draft.onboarding)
      return read(await api.patch<Settings>(PATH, patch))
    },
    labelOf: (field) =>
      field === 'name'
        ? shell('name')
        : field in LABELS
          ? t(LABELS[field as keyof typeof LABELS])
          : null,
  })
  return (
    <div class="stack">
      <OrganisationCard editor={editor} tenantId={settings.tenant_id} />
      <BrandCard editor={editor} logo={settings.logo_url} />
      <PagesCard editor={editor} agents={agents} />
      <OnboardingCard
        value={editor.draft.onboarding}
        onChange={(onboarding) => editor.set('onboarding', onboarding)}
        error={(field) => editor.error(`onboarding_config.${field}`)}
      />
      <OtherCard editor={editor} />
      {conflict}
      <SaveBar editor={editor} />
    </div>
  )
}
