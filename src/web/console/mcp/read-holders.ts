import type { Api } from '../api/create-api'
import type { Holder } from './server'

interface Listed {
  name: string
  tools: readonly string[]
  source?: string
}

/** The agents and skills with their tools. */
export async function readHolders(api: Api, signal: AbortSignal): Promise<Holder[]> {
  const kinds = ['agents', 'skills'] as const
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const all = await api.get<Listed[]>(`/v1/${kind}`, {}, signal)
      return all.map(
        ({ name, tools, source }): Holder => ({ kind, name, tools, isSystem: source === 'system' }),
      )
    }),
  )
  return lists.flat()
}
