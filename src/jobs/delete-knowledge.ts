import { eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { findOwn } from '../db/own'
import { documents, knowledgeBases } from '../db/tables/knowledge'
import { basePrefix, documentPrefix, removeFiles } from '../platform/files'
import { sendJobs } from '../platform/queue'
import { knowledgeBase } from '../platform/stubs'
import type { JobOf } from './job'

/** What a deleted document leaves: its chunks and vectors, then its originals. One that is there stays. Safe to run twice. */
export async function deleteDocumentData(env: Env, job: JobOf<'document.delete'>): Promise<void> {
  const { tenantId, baseId, documentId } = job
  const db = openPrimary(env.DB)
  if (await findOwn(db, documents, tenantId, eq(documents.id, documentId))) return
  await knowledgeBase(env, tenantId, baseId).deleteDocument({ tenantId, documentId })
  await removeFiles(env.FILES, documentPrefix({ ...job, id: documentId }))
}

/** What a deleted base leaves: index and vectors, then the originals; as many runs as those take. One that is there stays. */
export async function deleteBaseData(env: Env, job: JobOf<'base.delete'>): Promise<void> {
  const { tenantId, baseId } = job
  const db = openPrimary(env.DB)
  if (await findOwn(db, knowledgeBases, tenantId, eq(knowledgeBases.id, baseId))) return
  await knowledgeBase(env, tenantId, baseId).destroy({ tenantId })
  const isEmpty = await removeFiles(env.FILES, basePrefix(tenantId, baseId))
  if (!isEmpty) await sendJobs(env, [job])
}
