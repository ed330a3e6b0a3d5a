import { describe, expect, it } from 'vitest'
import { INGEST } from '../../../src/config/limits'
import type { DocumentRow } from '../../../src/db/tables/knowledge'
import { ingestionJobs } from '../../../src/knowledge/ingestion-jobs'

let made = 0
const row = (kind: string, sizeBytes: number): DocumentRow =>
  ({
    id: `document-${++made}`,
    tenantId: 'tenant',
    baseId: 'base',
    version: `v${made}`,
    kind,
    sizeBytes,
  }) as DocumentRow
const rows = (count: number, kind: string, bytes: number) =>
  Array.from({ length: count }, () => row(kind, bytes))

describe('ingestionJobs', () => {
  it('reads small texts of an upload together, each once and in their order', () => {
    const given = rows(INGEST.together * 2 + 5, 'md', 2000)
    const jobs = ingestionJobs(given)
    expect(jobs).toHaveLength(3)
    const named = jobs.flatMap((job) => (job.type === 'documents.ingest' ? job.documents : []))
    expect(named).toEqual(given.map(({ id, version }) => ({ id, version })))
    for (const job of jobs) {
      expect(job).toMatchObject({ type: 'documents.ingest', tenantId: 'tenant', baseId: 'base' })
    }
  })

  it('gives no job more bytes than one may hold', () => {
    const jobs = ingestionJobs(rows(10, 'txt', INGEST.smallBytes))
    const sizes = jobs.map((job) => (job.type === 'documents.ingest' ? job.documents.length : 1))
    const most = INGEST.togetherBytes / INGEST.smallBytes
    expect(Math.max(...sizes)).toBe(most)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10)
  })

  it('leaves alone what is large, packed, or the only one', () => {
    const large = row('md', INGEST.smallBytes + 1)
    const packed = [row('pdf', 900), row('docx', 900)]
    const only = row('html', 900)
    const jobs = ingestionJobs([large, ...packed, only])
    expect(jobs).toEqual(
      [large, ...packed, only].map(({ id, version }) => ({
        type: 'document.ingest',
        tenantId: 'tenant',
        baseId: 'base',
        documentId: id,
        version,
      })),
    )
  })

  it('has nothing to do for no documents', () => {
    expect(ingestionJobs([])).toEqual([])
  })
})
