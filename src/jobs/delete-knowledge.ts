import { basePrefix, documentPrefix } from '../platform/files'
import { sendJobs } from '../platform/queue'
import { knowledgeBase } from '../platform/stubs'
import type { JobOf } from './job'

export async function deleteDocumentData(env: Env, job: JobOf<'document.delete'>): Promise<void> {
  await knowledgeBase(env, job.tenantId, job.baseId).deleteDocument({
    tenantId: job.tenantId,
    documentId: job.documentId,
  })
  const { objects } = await env.FILES.list({
    prefix: documentPrefix({ ...job, id: job.documentId }),
  })
  if (objects.length > 0) await env.FILES.delete(objects.map((object) => object.key))
}

/** Index and vectors first, then the originals a listing at a time. */
export async function deleteBaseData(env: Env, job: JobOf<'base.delete'>): Promise<void> {
  await knowledgeBase(env, job.tenantId, job.baseId).destroy({ tenantId: job.tenantId })
  const { objects, truncated } = await env.FILES.list({
    prefix: basePrefix(job.tenantId, job.baseId),
  })
  if (objects.length > 0) await env.FILES.delete(objects.map((object) => object.key))
  if (truncated) await sendJobs(env, [job])
}
