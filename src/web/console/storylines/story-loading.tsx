import type { ComponentChildren } from 'preact'
import { Loadable, Page } from '../parts'
import type { Loaded } from '../use-load'
import { useStoryWords } from './words'

interface Props<T> {
  of: Loaded<T>
  children: (data: T) => ComponentChildren
}

/** A storyline's screen; where there is none, or it cannot be read, a page that says so and leads back. */
export function StoryLoading<T>({ of, children }: Props<T>) {
  const t = useStoryWords()
  const content = <Loadable of={of}>{children}</Loadable>
  if (of.data !== null || of.problem === null) return content
  return (
    <Page title={t('storyline')} crumbs={[{ label: t('storylines'), to: '/storylines' }]}>
      {content}
    </Page>
  )
}
