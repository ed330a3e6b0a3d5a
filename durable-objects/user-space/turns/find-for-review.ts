import { withContext } from '../../../src/chat/retrieve'
import { REVIEWS } from '../../../src/config/limits'
import type { FeedbackReason, ReviewReason } from '../../../src/config/names'
import { loadLearn } from '../../../src/lazy'
import type { Finding } from '../../../src/reviews/finding'
import { cutText } from '../../../src/text/cut'
import { findContext } from '../../../src/text/question'
import type { SpaceCore } from '../core/space-core'
import { type MessageBody, readBody } from '../sessions/message-body'
import type { MessageRow } from '../sessions/message-store'

const CONTEXT_MESSAGES = 2

/**
 * What a finished reply gives to review: sentences without a source, a question nothing matched, a thumb down. Null when
 * there is nothing, in privacy mode, and for questions that hold a secret.
 * @param sessionId where it is known: without it every session is asked.
 */
export async function findForReview(
  core: SpaceCore,
  messageId: string,
  sessionId: string | null = null,
): Promise<Finding | null> {
  const keys = await core.keys()
  const { messages } = core.stores
  const reply = sessionId === null ? messages.find(messageId) : messages.get(sessionId, messageId)
  if (!keys || core.privacy || reply?.role !== 'assistant' || reply.status !== 'complete')
    return null
  const body = await readBody(keys, reply)
  if (body === null) return null
  const reasons = reasonsOf(reply, body)
  const asked = core.stores.messages.questionOf(reply.session_id, reply.id)
  const session = core.stores.sessions.get(reply.session_id)
  if (reasons.length === 0 || !asked || !session) return null
  const content = (await readBody(keys, asked))?.content ?? ''
  const before = await core.stores.messages.lastOpened(keys, session.id, CONTEXT_MESSAGES, asked.id)
  // A follow-up is understood, and asked again later, together with the question before it.
  const asIs = withContext(content, findContext(content, before)).replaceAll(/\s+/gu, ' ').trim()
  const question = cutText(asIs, REVIEWS.questionLength)
  if (!/\p{L}/u.test(question) || (await loadLearn()).holdsSecret(question)) return null
  const source = body.sources?.[0]
  const comment = reply.comment_sealed
    ? await keys.read('messages', 'comment', reply.id, reply.comment_sealed)
    : null
  const agentName = reply.agent_name ?? session.agent_name
  return {
    messageId,
    agentId: agentName === session.agent_name ? session.agent_id : null,
    agentName,
    reasons,
    question,
    body: {
      answer: cutText(body.content, REVIEWS.answerLength),
      unsourced: (body.unsourced ?? []).slice(0, REVIEWS.sentences),
      source: source
        ? {
            documentId: source.document_id,
            title: source.title ?? null,
            url: source.url ?? null,
            text: source.quote ?? null,
          }
        : null,
      comment,
      ...(reply.feedback_reasons
        ? { feedbackReasons: JSON.parse(reply.feedback_reasons) as FeedbackReason[] }
        : {}),
    },
  }
}

function reasonsOf(reply: MessageRow, body: MessageBody): ReviewReason[] {
  const finish = body.finishReason ?? 'stop'
  if (finish === 'guard' || finish === 'error') return []
  return [
    ...(body.unsourced?.length ? (['unsourced'] as const) : []),
    ...(finish === 'no_match' ? (['no_match'] as const) : []),
    ...(reply.feedback === 'down' ? (['feedback'] as const) : []),
  ]
}
