import { MAIL } from '../config/limits'
import { dropVisitor } from '../deletion/drop-visitors'
import { eraseTenant } from '../deletion/erase-tenant'
import { eraseUser } from '../deletion/erase-user'
import { createLog } from '../log'
import { deleteFiles } from '../platform/files'
import { MailError } from '../platform/mail/send-mail'
import { sendJobs } from '../platform/queue'
import { workIn } from '../platform/stubs'
import { TryLater } from '../platform/try-later'
import { tellEnded } from '../users/end-tokens'
import { clearWebhook, deliverWebhook } from '../webhooks/deliver'
import { emitEvent } from '../webhooks/emit-event'
import { followTurn } from './after-turn'
import { answerChannel } from './answer-channel'
import { applyPrivacy } from './apply-privacy'
import { carryRemembered } from './carry-remembered'
import { askMcpServer } from './check-mcp-server'
import { countSpace } from './count-space'
import { crawlSite } from './crawl-site'
import { deleteBaseData, deleteDocumentData } from './delete-knowledge'
import { deleteSpaceData } from './delete-space'
import { deliverReminder } from './deliver-reminder'
import { embedDocument } from './embed-document'
import { exportUser } from './export-user'
import { giveUpDocument, ingestDocument } from './ingest-document'
import { ingestDocuments } from './ingest-documents'
import { ingestSpaceDocument } from './ingest-space-document'
import type { Job } from './job'
import { refreshOne } from './refresh-documents'
import { renameAgent } from './rename-agent'
import { reportStoryline } from './report-storyline'
import { reviewMessage } from './review-message'
import { sendAccountMail } from './send-account-mail'
import { clearStoryline, migrateStoryline, wakeStoryline } from './storyline-people'
import { tellHandoff } from './tell-handoff'
import { verifyApproved } from './verify-approved'

const log = createLog('jobs')

/**
 * Entry of every queue. A job that throws is tried again; after its last try the platform moves it to the dead-letter queue,
 * which comes here too (`buryJob`). A message can arrive twice, so every job is idempotent by its ids.
 */
export async function consumeJobs(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const isDead = batch.queue.endsWith('-dead')
  await Promise.all(
    batch.messages.map(async (message) => {
      const job = message.body as Job
      const begun = Date.now()
      try {
        await (isDead ? buryJob(env, job) : runJob(env, job))
        message.ack()
        log.info('job_done', { type: job.type, ms: Date.now() - begun })
      } catch (error) {
        if (error instanceof TryLater && (await putOff(env, job, error.delayS))) {
          return message.ack()
        }
        if (isFinal(error)) {
          log.warn('mail_refused', { type: job.type, reason: error.reason })
          return message.ack()
        }
        log.error('job_failed', error, { type: job.type, attempt: message.attempts })
        message.retry(pauseAfter(error, message.attempts))
      }
    }),
  )
}

/** A mail that its server refused for good: sending it again would change nothing. */
const isFinal = (error: unknown): error is MailError =>
  error instanceof MailError && error.code !== 'not_sent'

/** Greylisting: mail servers refuse a sender that they do not know yet for some minutes. */
const pauseAfter = (error: unknown, attempts: number) =>
  error instanceof MailError && attempts > 1 ? { delaySeconds: MAIL.greylistS } : {}

async function runJob(env: Env, job: Job): Promise<void> {
  switch (job.type) {
    case 'turn.after':
      return followTurn(env, job)
    case 'event.emit':
      return emitEvent(env, job.tenantId, job.event)
    case 'storyline.report':
      return reportStoryline(env, job)
    case 'storyline.migrate':
      return migrateStoryline(env, job)
    case 'storyline.clear':
      return clearStoryline(env, job)
    case 'storyline.wake':
      return wakeStoryline(env, job)
    case 'handoff.tell':
      return tellHandoff(env, job)
    case 'webhook.deliver':
      return deliverWebhook(env, job)
    case 'webhook.clear':
      return clearWebhook(env, job)
    case 'message.relearn':
      return workIn(env, job, 'learning', 'relearn', job.sessionId, job.messageId)
    case 'message.review':
      return reviewMessage(env, job)
    case 'review.verify':
      return verifyApproved(env, job)
    case 'reminder.deliver':
      return deliverReminder(env, job)
    case 'channel.turn':
      return answerChannel(env, job)
    case 'account.mail':
      return sendAccountMail(env, job)
    case 'remembered.carry':
      return carryRemembered(env, job)
    case 'space-document.ingest':
      return ingestSpaceDocument(env, job)
    case 'document.ingest':
      return ingestDocument(env, job)
    case 'documents.ingest':
      return ingestDocuments(env, job)
    case 'document.embed':
      return embedDocument(env, job)
    case 'document.refresh':
      return refreshOne(env, job)
    case 'site.crawl':
      return crawlSite(env, job)
    case 'mcp.check':
      return askMcpServer(env, job)
    case 'document.delete':
      return deleteDocumentData(env, job)
    case 'base.delete':
      return deleteBaseData(env, job)
    case 'space.count':
      return countSpace(env, job)
    case 'user.delete':
      return eraseUser(env, job.tenantId, job.userId)
    case 'visitor.drop':
      return dropVisitor(env, job.tenantId, job.userId)
    case 'user.export':
      return exportUser(env, job)
    case 'tokens.end':
      return tellEnded(env, { tenantId: job.tenantId, id: job.userId })
    case 'space.delete':
      return deleteSpaceData(env, job)
    case 'files.delete':
      return deleteFiles(env.FILES, job.keys)
    case 'title.index':
      return workIn(env, job, 'afterTurn', 'indexTitle', job.sessionId)
    case 'privacy.apply':
      return applyPrivacy(env, job)
    case 'agent.rename':
      return renameAgent(env, job)
    case 'tenant.delete':
      return eraseTenant(env, job.tenantId)
    default:
      // Another release sent it: one that was rolled back, or one that is long gone.
      throw new Error(`No job is called ${(job as Job).type}`)
  }
}

/** Sends the job anew. @returns false when that failed too: then it is retried as any other. */
async function putOff(env: Env, job: Job, delayS: number): Promise<boolean> {
  try {
    await sendJobs(env, [job], delayS)
    return true
  } catch {
    return false
  }
}

/** The last thing done for a job that failed for good: what people still wait for is marked as failed. */
async function buryJob(env: Env, job: Job): Promise<void> {
  log.warn('job_given_up', { type: job.type })
  if (job.type === 'document.ingest') await giveUpDocument(env, job)
  if (job.type === 'documents.ingest') {
    for (const { id, version } of job.documents)
      await giveUpDocument(env, { tenantId: job.tenantId, documentId: id, version })
  }
  if (job.type === 'reminder.deliver')
    await workIn(env, job, 'reminderChannels', 'giveUp', job.reminderId)
  if (job.type === 'space-document.ingest') {
    await workIn(env, job, 'ingestion', 'giveUp', job.documentId)
  }
}
