import type { ComponentChildren } from 'preact'
import { CallThisApi, Page } from '../parts'
import type { Fetched } from '../use-load'
import { baseApi, screens } from './addresses'
import { useKnowledgeWords } from './words'

interface BaseFrameProps {
  name: string
  tab: 'documents' | 'verify' | 'settings'
  of?: Fetched
  call?: { method: string; path: string; body?: unknown }
  actions?: ComponentChildren
  children: ComponentChildren
}

/** What the screens of one base have in common. */
export function BaseFrame({ name, tab, of, call, actions, children }: BaseFrameProps) {
  const t = useKnowledgeWords()
  return (
    <Page
      {...(of && { of })}
      title={name}
      crumbs={[{ label: t('knowledge'), to: '/knowledge' }]}
      tabs={(['documents', 'verify', 'settings'] as const).map((one) => ({
        label: t(one),
        to: screens[one](name),
        current: one === tab,
      }))}
      actions={
        <>
          <CallThisApi {...(call ?? { method: 'GET', path: baseApi(name) })} />
          {actions}
        </>
      }
    >
      {children}
    </Page>
  )
}
