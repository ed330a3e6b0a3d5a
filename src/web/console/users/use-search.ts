import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

const PAUSE_MS = 300

/** What stands in a search field, told on once the typing pauses; it follows when it is changed from outside. */
export function useSearch(
  value: string,
  onSearch: (value: string) => void,
): [string, (value: string) => void] {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const tell = useRef(onSearch)
  tell.current = onSearch
  useLayoutEffect(() => {
    if (value === told.current) return
    told.current = value
    setTyped(value)
  }, [value])
  useEffect(() => {
    if (typed === told.current) return undefined
    const timer = setTimeout(() => {
      told.current = typed
      tell.current(typed)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
