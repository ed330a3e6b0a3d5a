import type * as z from 'zod'
import type {
  BaseOut,
  DocumentOut,
  ImportResult,
  SearchOut,
  SiteImportOut,
} from '../../../knowledge/schema'
import { to } from '../router'

export type Base = z.output<typeof BaseOut>
export type Document = z.output<typeof DocumentOut>
export type Imported = z.output<typeof ImportResult>
export type Found = z.output<typeof SearchOut>
export type SiteImport = z.output<typeof SiteImportOut>

/** What can be written of a base. */
export type BaseFields = Pick<Base, 'name' | 'instructions' | 'downloads' | 'rerank' | 'refresh'>

export const fieldsOf = ({
  name,
  instructions,
  downloads,
  rerank,
  refresh,
}: BaseFields): BaseFields => ({ name, instructions, downloads, rerank, refresh })

export const baseApi = (name: string) => to`/v1/knowledge-bases/${name}`
export const documentApi = (base: string, id: string) => `${baseApi(base)}/documents/${id}`

export const screens = {
  documents: (name: string) => to`/knowledge/${name}`,
  verify: (name: string) => to`/knowledge/${name}/verify`,
  settings: (name: string) => to`/knowledge/${name}/settings`,
  document: (name: string, id: string) => to`/knowledge/${name}/documents/${id}`,
}

/** Whether the server is still at work on it, so that its state is worth asking for again. */
export const isUnsettled = ({ status, vectors }: Document): boolean =>
  isBeingRead(status) || (status === 'ready' && vectors === 'pending')

export const isBeingRead = (status: Document['status']): boolean =>
  status === 'queued' || status === 'parsing' || status === 'embedding'

/** The rows of a list with what was read of them since. */
export const merge = (rows: readonly Document[], fresh: readonly Document[]): Document[] => {
  const byId = new Map(fresh.map((one) => [one.id, one]))
  return rows.map((row) => byId.get(row.id) ?? row)
}
