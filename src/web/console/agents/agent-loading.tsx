import type { ComponentChildren } from 'preact'
import { Loadable, Page } from '../parts'
import type { Loaded } from '../use-load'
import { useAgentWords } from './words'

interface Props<T> {
  name: string
  of: Loaded<T>
  children: (data: T) => ComponentChildren
}

/** An agent's screen; where there is no such agent, or it cannot be read, a page that says so and leads back. */
export function AgentLoading<T>({ name, of, children }: Props<T>) {
  const t = useAgentWords()
  const isRefused = of.data === null && of.problem !== null
  const content = <Loadable of={of}>{children}</Loadable>
  return isRefused ? (
    <Page title={name} crumbs={[{ label: t('agents'), to: '/agents' }]}>
      {content}
    </Page>
  ) : (
    content
  )
}
