import type { PageTab } from '../parts'
import { to } from '../router'
import { useStoryWords } from './words'

export function useTabs(id: string, current: 'flow' | 'people' | 'funnel'): PageTab[] {
  const t = useStoryWords()
  return [
    { label: t('tabFlow'), to: to`/storylines/${id}`, current: current === 'flow' },
    { label: t('tabPeople'), to: to`/storylines/${id}/people`, current: current === 'people' },
    { label: t('tabFunnel'), to: to`/storylines/${id}/funnel`, current: current === 'funnel' },
  ]
}
