import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Api } from './create-api'

export { type Api, type CallOptions, createApi, type Query, queryText } from './create-api'
export { ApiProblem, type FieldProblem } from './problem'

export const ApiContext = createContext<Api | null>(null)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === null) throw new Error('no key: not within the shell')
  return api
}
