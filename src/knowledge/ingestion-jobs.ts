import { INGEST } from '../config/limits'
import type { DocumentRow } from '../db/tables/knowledge'
import type { Job } from '../jobs/job'

/** Kinds whose bytes are their text: what they take in memory is known before they are read. */
const TEXTS: ReadonlySet<string> = new Set(['md', 'txt', 'html', 'csv', 'json'])

/**
 * The jobs that read documents of one base which were just recorded. Small texts go together: what a job costs is
 * mostly its steps, however little there is to read. Everything else has a job of its own.
 */
export function ingestionJobs(rows: readonly DocumentRow[]): Job[] {
  const jobs: Job[] = []
  let group: DocumentRow[] = []
  let bytes = 0
  const close = () => {
    const [first] = group
    if (first && group.length > 1) {
      const documents = group.map(({ id, version }) => ({ id, version }))
      const { tenantId, baseId } = first
      jobs.push({ type: 'documents.ingest', tenantId, baseId, documents })
    } else if (first) jobs.push(aloneJob(first))
    group = []
    bytes = 0
  }
  for (const row of rows) {
    if (!TEXTS.has(row.kind) || row.sizeBytes > INGEST.smallBytes) {
      jobs.push(aloneJob(row))
      continue
    }
    if (group.length === INGEST.together || bytes + row.sizeBytes > INGEST.togetherBytes) close()
    group.push(row)
    bytes += row.sizeBytes
  }
  close()
  return jobs
}

export const aloneJob = ({
  tenantId,
  baseId,
  id,
  version,
}: Pick<DocumentRow, 'tenantId' | 'baseId' | 'id' | 'version'>): Job => ({
  type: 'document.ingest',
  tenantId,
  baseId,
  documentId: id,
  version,
})
