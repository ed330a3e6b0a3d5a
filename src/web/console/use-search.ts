import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

const PAUSE_MS = 300

/**
 * What stands in a search field, told on once the typing pauses; it follows when it is changed from outside. Blanks around it
 * are not told: who pauses between two words keeps the one that is written.
 */
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
    const words = typed.trim()
    if (words === told.current) return undefined
    const timer = setTimeout(() => {
      told.current = words
      tell.current(words)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
