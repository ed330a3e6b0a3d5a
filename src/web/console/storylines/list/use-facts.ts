import { useEffect, useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import { to } from '../../router'
import type { Funnel, Storyline } from '../types'
import { hasUnpublished } from '../use-unpublished'

export interface Facts {
  active: number
  completed: number
  unpublished: boolean
}

const AT_ONCE = 4

/** What the list tells besides the storylines themselves, asked for each, a few at once; what fails is left out. */
export function useFacts(storylines: readonly Storyline[] | null): ReadonlyMap<string, Facts> {
  const api = useApi()
  const [facts, setFacts] = useState<ReadonlyMap<string, Facts>>(new Map())
  useEffect(() => {
    let stopped = false
    const open = [...(storylines ?? [])]
    const work = async (): Promise<void> => {
      for (let one = open.shift(); one && !stopped; one = open.shift()) {
        const { id } = one
        const [funnel, unpublished] = await Promise.all([
          api.get<Funnel>(to`/v1/storylines/${id}/funnel`).catch(() => null),
          hasUnpublished(api, one).catch(() => false),
        ])
        if (funnel && !stopped) {
          const nodes = Object.values(funnel.nodes)
          const sum = (name: 'active' | 'completed') =>
            nodes.reduce((total, node) => total + node[name], 0)
          const told = { active: sum('active'), completed: sum('completed'), unpublished }
          setFacts((was) => new Map(was).set(id, told))
        }
      }
    }
    for (let n = 0; n < AT_ONCE; n++) void work()
    return () => {
      stopped = true
    }
  }, [api, storylines])
  return facts
}
