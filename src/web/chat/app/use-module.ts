import { useEffect, useState } from 'preact/hooks'
import { loadCode } from './load-code'

/**
 * Code that is fetched when it is needed; null until it is there.
 * @param attempt false: it is not needed. It is asked for again whenever this changes, as where there was no connection.
 */
export function useModule<M extends object>(
  load: () => Promise<M>,
  attempt: unknown = true,
): M | null {
  const [module, setModule] = useState<M | null>(null)
  useEffect(() => {
    if (attempt !== false) loadCode(load).then(setModule, () => undefined)
  }, [attempt])
  return module
}
