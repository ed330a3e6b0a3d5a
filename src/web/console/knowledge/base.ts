/** As the API shows a base; a test compares these with its schemas. */
export interface Base {
  id: string
  name: string
  instructions: string
  document_count: number
  chunk_count: number
  status: 'empty' | 'processing' | 'ready' | 'failed'
  progress: number
  embedding_model: string
  downloads: boolean
  rerank: boolean
  refresh: 'off' | 'daily' | 'weekly'
  created_at: string
  updated_at: string
}

export interface Document {
  id: string
  name: string
  path: string
  mime: string
  size_bytes: number
  status: 'queued' | 'parsing' | 'embedding' | 'ready' | 'failed'
  progress: number
  error: string | null
  attempts: number
  chunk_count: number
  source_url: string | null
  gone_at: string | null
  vectors: 'none' | 'pending' | 'confirmed'
  kb_name: string | null
  space_id: string | null
  created_at: string
  updated_at: string
}

interface Refused {
  path: string
  reason: string
}

export interface Imported {
  imported: number
  skipped: Refused[]
  failed: Refused[]
  documents: Document[]
}

export interface Hit {
  document_id: string
  document_name: string
  chunk_id: string
  text: string
  score: number
  distance: number
  page: number | null
  heading: string | null
  source_url: string | null
  start: number
  end: number
}

export interface Found {
  query: string
  hits: Hit[]
  gate: {
    open: boolean
    reasons: (
      | 'near'
      | 'covered'
      | 'nothing_found'
      | 'names_nothing'
      | 'name_not_found'
      | 'too_little_found'
    )[]
  }
  took_ms: number
}

export interface SitePage {
  url: string
  status: 'queued' | 'imported' | 'unchanged' | 'skipped' | 'failed'
  reason: string | null
  document_id: string | null
}

export interface SiteImport {
  job_id: string
  url: string
  limit: number
  status: 'running' | 'done' | 'failed'
  error: string | null
  queued: number
  imported: number
  unchanged: number
  skipped: number
  failed: number
  pages: SitePage[]
  created_at: string
  updated_at: string
}

/** What can be written of a base. */
export type BaseFields = Pick<Base, 'name' | 'instructions' | 'downloads' | 'rerank' | 'refresh'>

export const fieldsOf = ({
  name,
  instructions,
  downloads,
  rerank,
  refresh,
}: BaseFields): BaseFields => ({ name, instructions, downloads, rerank, refresh })

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
