import { useEffect, useRef } from 'preact/hooks'
import { type Api, useApi } from '../api/call'

const FIRST_MS = 1500
const LONGEST_MS = 15_000

/**
 * Reads again while something is going on: soon at first, then ever more rarely. A tab that nobody sees asks nothing; what
 * could not be asked is asked the next time.
 */
export function useFresh(
  isGoingOn: boolean,
  read: (api: Api, signal: AbortSignal) => Promise<void>,
): void {
  const api = useApi()
  const latest = useRef(read)
  latest.current = read
  useEffect(() => {
    if (!isGoingOn) return undefined
    const controller = new AbortController()
    let pause = FIRST_MS
    let timer = 0
    const ask = async () => {
      if (!document.hidden) await latest.current(api, controller.signal).catch(() => undefined)
      if (controller.signal.aborted) return
      pause = Math.min(LONGEST_MS, pause * 1.3)
      timer = window.setTimeout(ask, pause)
    }
    timer = window.setTimeout(ask, pause)
    return () => {
      window.clearTimeout(timer)
      controller.abort()
    }
  }, [api, isGoingOn])
}
