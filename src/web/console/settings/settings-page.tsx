import type { ComponentChildren } from 'preact'
import { Page } from '../parts'
import { useLoad } from '../use-load'
import { type SettingsTab, TABS } from './tabs'
import type { DomainFeature } from './types'
import { useSettingsWords } from './words'

interface Props {
  tab: SettingsTab
  actions?: ComponentChildren
  children: ComponentChildren
}

/** One of the settings' screens. The domain's is left out where it may neither be bound nor is. */
export function SettingsPage({ tab, actions, children }: Props) {
  const t = useSettingsWords()
  const feature = useLoad(
    (api, signal) => api.get<DomainFeature>('/v1/tenant/custom-domain/feature', undefined, signal),
    [],
  )
  const hasDomain = feature.data === null || feature.data.enabled || feature.data.bound
  return (
    <Page
      title={t(tab)}
      purpose={t(TABS.find(([, name]) => name === tab)?.[2] ?? tab)}
      actions={actions}
      tabs={TABS.filter(([, name]) => name !== 'domain' || hasDomain || tab === 'domain').map(
        ([to, name]) => ({ to, label: t(name), current: name === tab }),
      )}
    >
      {children}
    </Page>
  )
}

interface CardProps {
  title: string
  text?: ComponentChildren
  aside?: ComponentChildren
  children: ComponentChildren
}

/** Settings that belong together. */
export function Card({ title, text, aside, children }: CardProps) {
  return (
    <section class="card stack settings-card">
      <header>
        <div>
          <h2>{title}</h2>
          {text && <p class="muted small">{text}</p>}
        </div>
        {aside}
      </header>
      {children}
    </section>
  )
}
