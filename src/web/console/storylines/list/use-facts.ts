import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
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

/** A storyline as it was asked about: what is said of it holds until it changes. */
export const stateKey = ({ id, version, status, published_revision_id }: Storyline): string =>
  [id, version, status, published_revision_id].join(' ')

/**
 * What the list tells besides the storylines themselves. It is asked for those that are looked at (`see`), once each and a
 * few at a time; what fails is left out.
 */
export function useFacts() {
  const api = useApi()
  const [facts, setFacts] = useState<ReadonlyMap<string, Facts>>(new Map())
  const asked = useRef(new Set<string>())
  const open = useRef<Storyline[]>([])
  const running = useRef(0)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  const see = useCallback(
    (storyline: Storyline) => {
      const key = stateKey(storyline)
      if (asked.current.has(key)) return
      asked.current.add(key)
      open.current.push(storyline)
      const work = async () => {
        running.current++
        for (let one = open.current.shift(); one && !isGone.current; one = open.current.shift()) {
          const { id } = one
          const [funnel, unpublished] = await Promise.all([
            api.get<Funnel>(to`/v1/storylines/${id}/funnel`).catch(() => null),
            hasUnpublished(api, one).catch(() => false),
          ])
          if (funnel === null || isGone.current) continue
          const nodes = Object.values(funnel.nodes)
          const sum = (name: 'active' | 'completed') =>
            nodes.reduce((total, node) => total + node[name], 0)
          const told = { active: sum('active'), completed: sum('completed'), unpublished }
          setFacts((was) => new Map(was).set(id, told))
        }
        running.current--
      }
      if (running.current < AT_ONCE) void work()
    },
    [api],
  )
  return { facts, see }
}
