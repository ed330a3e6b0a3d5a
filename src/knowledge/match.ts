import type { SearchResult } from './types'
export function isMatch(result: SearchResult, _q: string): boolean {
  return result.coverage >= 0.35
}
