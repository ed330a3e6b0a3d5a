import type { ChannelName, FinishReason } from '../config/names'
import type { EnrollmentReport } from '../storylines/records'
import type { WebhookEvent } from '../webhooks/events'

/** Every message of the background queues: ids only, never content. Each effect is idempotent by its ids. */
export type Job =
  | {
      type: 'turn.after'
      tenantId: string
      userId: string
      spaceId: string
      sessionId: string
      messageId: string
      /** Messages that the agent's history holds: what is older is summarised. */
      historyWindow: number
      agentName: string
      /** How the turn ended, null when it failed. */
      finishReason: FinishReason | null
      endedAt: number
      /** False when no webhook waits for turns, null when that is to be found out for the meter. */
      listens: boolean | null
    }
  /** Something happened that webhooks may want to hear of; for callers that must not wait for D1. */
  | { type: 'event.emit'; tenantId: string; event: WebhookEvent }
  /** Where an enrollment stands now, and what came to the counts of its storyline. */
  | { type: 'storyline.report'; tenantId: string; report: EnrollmentReport }
  | { type: 'storyline.migrate'; tenantId: string; migrationId: string }
  | {
      type: 'handoff.tell'
      tenantId: string
      userId: string
      spaceId: string
      handoffId: string
    }
  /** A storyline is gone, or is about to be: what people's objects hold of it goes too. */
  | { type: 'storyline.clear'; tenantId: string; storylineId: string }
  /** A storyline, or an agent, is published again: what fell due for people meanwhile is due now. */
  | {
      type: 'storyline.wake'
      tenantId: string
      of: { storylineId: string } | { agentName: string }
      /** The enrollment that was told last. */
      after: string | null
    }
  | { type: 'webhook.deliver'; tenantId: string; deliveryId: string }
  /** A webhook is gone: what was delivered to it goes too. */
  | { type: 'webhook.clear'; tenantId: string; webhookId: string }
  | {
      type: 'reminder.deliver'
      tenantId: string
      userId: string
      spaceId: string
      reminderId: string
    }
  | { type: 'channel.turn'; tenantId: string; channel: ChannelName; userId: string }
  | {
      type: 'account.mail'
      /** Also the id of the token that the mail carries: a repeat sends no second mail. */
      id: string
      purpose: 'verify' | 'reset' | 'email'
      tenantId: string
      userId: string
    }
  | {
      type: 'remembered.carry'
      tenantId: string
      from: { userId: string; spaceId: string; tag: number }
      to: { userId: string; spaceId: string; tag: number }
    }
  | {
      type: 'message.relearn'
      tenantId: string
      userId: string
      spaceId: string
      sessionId: string
      messageId: string
    }
  | { type: 'message.review'; tenantId: string; userId: string; spaceId: string; messageId: string }
  | { type: 'review.verify'; tenantId: string; reviewId: string }
  | {
      type: 'space-document.ingest'
      tenantId: string
      userId: string
      spaceId: string
      documentId: string
    }
  /** `baseId` is absent in jobs that an earlier release sent. */
  | {
      type: 'document.ingest'
      tenantId: string
      baseId?: string
      documentId: string
      version: string
    }
  /** Small texts of one base that came in one upload; whatever does not go well goes on as `document.ingest`. */
  | {
      type: 'documents.ingest'
      tenantId: string
      baseId: string
      documents: { id: string; version: string }[]
    }
  | { type: 'document.embed'; tenantId: string; documentId: string; version: string }
  /** A document's address is asked for a newer text. */
  | { type: 'document.refresh'; tenantId: string; documentId: string }
  /** The next request of a site's import. */
  | { type: 'site.crawl'; tenantId: string; importId: string; step: number }
  | { type: 'mcp.check'; tenantId: string; serverId: string }
  | { type: 'document.delete'; tenantId: string; baseId: string; documentId: string }
  | { type: 'base.delete'; tenantId: string; baseId: string }
  | { type: 'space.count'; tenantId: string; userId: string; spaceId: string }
  /** The next parts of what a user exports, or the word that it is done. */
  | { type: 'user.export'; tenantId: string; exportId: string }
  /** A user was deleted, or perhaps never came to be. */
  | { type: 'user.delete'; tenantId: string; userId: string }
  /** A visitor's token has ended, and no turn is known of them. */
  | { type: 'visitor.drop'; tenantId: string; userId: string }
  /** A user's token version was raised, and not every object of the user could be told. */
  | { type: 'tokens.end'; tenantId: string; userId: string }
  | { type: 'space.delete'; tenantId: string; userId: string; spaceId: string }
  | { type: 'files.delete'; tenantId: string; keys: string[] }
  | { type: 'tenant.delete'; tenantId: string }
  | {
      type: 'title.index'
      tenantId: string
      userId: string
      spaceId: string
      sessionId: string
    }
  /** Privacy mode was switched on: vectors go, some spaces at a time. */
  | {
      type: 'privacy.apply'
      tenantId: string
      after?: string
      done?: { spaces: number; vectors: number }
    }
  /** An agent was renamed: what its tenant's spaces keep under the old name follows, some spaces at a time. */
  | {
      type: 'agent.rename'
      tenantId: string
      agentId: string
      from: string
      renamedAt: number
      after?: string
    }

export type JobOf<T extends Job['type']> = Extract<Job, { type: T }>
