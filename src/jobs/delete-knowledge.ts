import { basePrefix, documentPrefix, removeFiles } from '../platform/files'
import { sendJobs } from '../platform/queue'
import { knowledgeBase } from '../platform/stubs'
import type { JobOf } from './job'

/** What a deleted document leaves: its chunks and vectors, then its originals. Safe to run twice. */
export async function deleteDocumentData(env: Env, job: JobOf<'document.delete'>): Promise<void> {
  await knowledgeBase(env, job.tenantId, job.baseId).deleteDocument({
    tenantId: job.tenantId,
    documentId: job.documentId,
  })
  await removeFiles(env.FILES, documentPrefix({ ...job, id: job.documentId }))
}

/** What a deleted base leaves: index and vectors, then the originals; as many runs as those take. */
export async function deleteBaseData(env: Env, job: JobOf<'base.delete'>): Promise<void> {
  await knowledgeBase(env, job.tenantId, job.baseId).destroy({ tenantId: job.tenantId })
  const isEmpty = await removeFiles(env.FILES, basePrefix(job.tenantId, job.baseId))
  if (!isEmpty) await sendJobs(env, [job])
}
