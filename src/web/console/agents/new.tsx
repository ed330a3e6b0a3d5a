import { useState } from 'preact/hooks'
import { Page, Segmented } from '../parts'
import { useGuard, useQuery } from '../router'
import { useLoad } from '../use-load'
import {
  isBegun,
  NewBlank,
  NewDescribed,
  NewFromTemplate,
  NewImported,
  NOTHING_YET,
} from './new-forms'
import type { AgentRow } from './types'
import { useAgentWords } from './words'

export { words } from './words'

const WAYS = ['blank', 'template', 'description', 'file'] as const
type Way = (typeof WAYS)[number]

const FORMS = {
  blank: NewBlank,
  template: NewFromTemplate,
  description: NewDescribed,
  file: NewImported,
}

/** How an agent begins. */
export function Screen() {
  const t = useAgentWords()
  const [query, setQuery] = useQuery()
  const way: Way = WAYS.find((one) => one === query.get('from')) ?? 'blank'
  const agents = useLoad((api, signal) => api.get<AgentRow[]>('/v1/agents', {}, signal), [])
  // All ways write into one draft: who looks at another way has lost nothing.
  const [draft, setDraft] = useState(NOTHING_YET)
  useGuard(isBegun(draft))
  const Form = FORMS[way]
  return (
    <Page
      title={t('newAgent')}
      purpose={t('newPurpose')}
      crumbs={[{ label: t('agents'), to: '/agents' }]}
    >
      <div class="new-agent stack">
        <Segmented
          label={t('beginWith')}
          value={way}
          options={WAYS.map((value) => ({ value, label: t(`from_${value}`) }))}
          onChange={(from) => setQuery({ from: from === 'blank' ? null : from })}
        />
        <Form
          key={way}
          taken={(agents.data ?? []).map(({ name }) => name)}
          draft={draft}
          set={(changes) => setDraft((was) => ({ ...was, ...changes }))}
        />
      </div>
    </Page>
  )
}
