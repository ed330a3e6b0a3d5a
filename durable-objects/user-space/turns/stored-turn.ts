import { charsBefore, encodeEvent, eventIdAfter, type TurnEvent } from '../../../src/chat/events'
import type { FinishedTurn } from '../../../src/chat/turn'
import { HOUR_MS, LIMITS } from '../../../src/config/limits'
import { utf8 } from '../../../src/platform/crypto/bytes'
import { hideDetails } from '../../../src/wire/present-source'
import type { SpaceCore } from '../core/space-core'
import { readBody } from '../sessions/message-body'

const KEPT_MS = LIMITS.idempotencyHours * HOUR_MS
/** What a turn tells first. */
const SESSION_ID = 1
const TRANSCRIPT_ID = 2
const INTERRUPTED = 'The turn was interrupted; send the message again'

/**
 * A turn of the last 24 hours as it is stored.
 * @param details whether the caller may know more of its sources than which they are; undefined where that is its agent's word.
 */
export async function readStoredTurn(
  core: SpaceCore,
  messageId: string,
  details: boolean | undefined,
): Promise<FinishedTurn> {
  return (await readStored(core, messageId, details)).turn
}

async function readStored(
  core: SpaceCore,
  messageId: string,
  details: boolean | undefined,
): Promise<{ turn: FinishedTurn; agent: string; rewritten: boolean }> {
  const keys = await core.keys()
  const row = core.stores.messages.find(messageId)
  const agent = row?.agent_name ?? ''
  const as = (turn: FinishedTurn, rewritten = false) => ({ turn, agent, rewritten })
  if (!row || !keys || row.role !== 'assistant' || row.created_at < Date.now() - KEPT_MS) {
    return as({ ok: false, refusal: { reason: 'session' } })
  }
  const body = row.status === 'failed' ? null : await readBody(keys, row)
  if (body === null) {
    return as({ ok: false, failed: { session_id: row.session_id, message_id: row.id } })
  }
  const isDetailed = details ?? body.publicSources === true
  const turn: FinishedTurn = {
    ok: true,
    response: {
      session_id: row.session_id,
      message_id: row.id,
      agent,
      reply: body.content,
      sources: isDetailed ? (body.sources ?? []) : (body.sources ?? []).map(hideDetails),
      transcript: body.transcript ?? null,
      suggestions: body.suggestions ?? [],
      ...(body.chips ? { chips: body.chips } : {}),
      closest: isDetailed ? (body.closest ?? []) : [],
      finish_reason: body.finishReason ?? 'stop',
      usage: { model: '', input_tokens: 0, output_tokens: 0, estimated: false, ...body.usage },
      ...(body.storyline ? { storyline: body.storyline } : {}),
      ...(body.clarify ? { clarify: body.clarify } : {}),
      ...(body.form ? { form: body.form } : {}),
      ...(body.cta ? { cta: body.cta } : {}),
    },
  }
  return as(turn, body.rewritten || row.edited_at !== null)
}

/** The frames after an event id, rebuilt from storage: exactly the text that the listener lacks. Null for an unknown turn. */
export async function replayStoredTurn(
  core: SpaceCore,
  messageId: string,
  afterId: number,
  details: boolean | undefined,
): Promise<ReadableStream<Uint8Array> | null> {
  const { turn: stored, agent, rewritten } = await readStored(core, messageId, details)
  if ('refusal' in stored) return null
  const { session_id, message_id } = stored.ok ? stored.response : stored.failed
  const session = { type: 'session' as const, session_id, message_id, agent }
  const begin = afterId < SESSION_ID ? encodeEvent(SESSION_ID, session) : ''
  if (stored.ok) return streamOf(begin + framesOf(stored.response, afterId, rewritten))
  const error = { code: 'interrupted' as const, detail: INTERRUPTED, retryable: true }
  const id = Math.max(afterId, SESSION_ID) + 1
  return streamOf(begin + encodeEvent(id, { type: 'error', ...error }))
}

type Response = Extract<FinishedTurn, { ok: true }>['response']

function framesOf(response: Response, afterId: number, rewritten: boolean): string {
  const { reply, transcript } = response
  const rest = rewritten ? reply : reply.slice(charsBefore(afterId))
  const type = rewritten && afterId > 0 ? 'replace' : 'token'
  const id = eventIdAfter(afterId, response.reply.length)
  return [
    transcript !== null && afterId < TRANSCRIPT_ID
      ? encodeEvent(TRANSCRIPT_ID, { type: 'transcript', text: transcript })
      : '',
    rest === '' ? '' : encodeEvent(id, { type, text: rest }),
    ...[
      ...askedBy(response),
      { type: 'sources' as const, sources: response.sources },
      { type: 'done' as const, response },
    ].map((event, n) => encodeEvent(id + 1 + n, event)),
  ].join('')
}

/** What was shown and asked beside the reply. */
function askedBy({
  clarify,
  form,
  storyline,
  cta,
  suggestions,
  chips = [],
}: Response): TurnEvent[] {
  return [
    ...(clarify ? [{ type: 'clarify' as const, ...clarify }] : []),
    ...(form ? [{ type: 'form' as const, ...form }] : []),
    ...(storyline ? [{ type: 'storyline' as const, ...storyline }] : []),
    ...(cta ? [{ type: 'cta' as const, ...cta }] : []),
    ...(suggestions.length + chips.length > 0
      ? [{ type: 'suggestions' as const, suggestions, chips }]
      : []),
  ]
}

function streamOf(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: 'bytes',
    start(controller) {
      controller.enqueue(utf8(text))
      controller.close()
    },
  })
}
