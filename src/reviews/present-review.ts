import { isoOf } from '../time'
import type { OpenReview } from './find-review'

export function presentReview({ row, agentName, baseName, question, body }: OpenReview) {
  return {
    id: row.id,
    question,
    answer: body?.answer ?? null,
    source_url: body?.source?.url ?? null,
    source_title: body?.source?.title ?? null,
    unsourced: body?.unsourced ?? [],
    source_text: body?.source?.text ?? null,
    agent_name: agentName,
    kb_name: baseName,
    status: row.status,
    created_at: isoOf(row.createdAt),
    reasons: row.reasons,
    comment: body?.comment ?? null,
    feedback_reasons: body?.feedbackReasons ?? [],
    count: row.count,
    last_seen_at: isoOf(row.lastSeenAt),
    document_id: row.documentId,
    verified: row.verified,
    decided_at: row.decidedAt === null ? null : isoOf(row.decidedAt),
  }
}

/** For the audit trail: no word of a user. */
export const auditReview = ({
  row,
  agentName,
  baseName,
}: Omit<OpenReview, 'question' | 'body'>) => ({
  id: row.id,
  status: row.status,
  agent_name: agentName,
  kb_name: baseName,
  document_id: row.documentId,
})
