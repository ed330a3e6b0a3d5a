import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiProblem, type Query, queryText, useApi } from '../api/call'
import { asProblem } from '../use-load'
import { loadGraph, type Progress } from './load-graph'
import type { Graph } from './types'

const STAGES = ['collecting', 'embedding', 'projecting', 'connecting'] as const
type Stage = (typeof STAGES)[number]

/** The map that a filter gives; the one before stays until the new one is there. */
export function useGraph(path: string, filter: Query) {
  const api = useApi()
  const [graph, setGraph] = useState<Graph | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [progress, setProgress] = useState<(Progress & { stage: Stage }) | null>(null)
  const current = useRef<AbortController | null>(null)
  const address = path + queryText(filter)

  const draw = useCallback(
    async (refresh: boolean) => {
      current.current?.abort()
      const controller = new AbortController()
      current.current = controller
      const tell = ({ stage, ...rest }: Progress) => {
        const known = STAGES.find((one) => one === stage)
        if (known && current.current === controller) setProgress({ stage: known, ...rest })
      }
      setProblem(null)
      setProgress({ stage: 'collecting', done: 0, total: 0 })
      try {
        const query = { ...filter, ...(refresh ? { refresh } : {}) }
        setGraph(await loadGraph(api, path, query, controller.signal, tell))
      } catch (error) {
        if (!controller.signal.aborted) setProblem(asProblem(error))
      }
      if (current.current === controller) setProgress(null)
    },
    // The address has path and filter in it.
    [api, address],
  )
  useEffect(() => {
    void draw(false)
    return () => current.current?.abort()
  }, [draw])
  return {
    graph,
    problem,
    progress,
    reload: () => void draw(false),
    refresh: () => void draw(true),
  }
}
