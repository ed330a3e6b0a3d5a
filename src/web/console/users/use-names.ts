import { useLoad } from '../use-load'
import { readNames } from './read-names'

/** What people are called of whom a list has ids alone. */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids)].sort()
  const names = useLoad((api, signal) => readNames(api, wanted, signal), [wanted.join(' ')])
  return names.data ?? new Map()
}
