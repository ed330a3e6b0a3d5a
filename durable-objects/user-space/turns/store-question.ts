import type { TurnRequest } from '../../../src/chat/turn'
import { attachmentPath, deleteFiles } from '../../../src/platform/files'
import { sendJobs } from '../../../src/platform/queue'
import type { Replacing } from '../../../src/sessions/variants.lazy'
import type { TurnRefusal } from '../../../src/spaces/caller'
import type { LiveEvents } from '../core/live-events'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import { sealBody } from '../sessions/message-body'
import { relearnJobs } from '../sessions/relearn-jobs'
import type { LiveTurn } from './live-turn'
import { whyGone } from './outbox'
import { LOOK_MS } from './settlements'

/** What an admitted turn answers, before anything of it is stored. */
interface Question {
  request: TurnRequest
  live: LiveTurn
  /** The id that the user's message is to have. */
  id: string
  /** Whether its session begins with it. */
  isNew: boolean
  /** What the agent said first, null for nothing. */
  greeted: { id: string; content: string } | null
  /** What it stands in the place of, null for nothing. */
  replacing: Replacing | null
}

/**
 * Stores the question of a turn with its session, pictures and place in one transaction, and tells of it.
 * @returns why nothing is stored: user, space or session were deleted meanwhile. Null where it is.
 */
export async function storeQuestion(
  core: SpaceCore,
  events: LiveEvents,
  keys: SpaceKeys,
  question: Question,
): Promise<TurnRefusal | null> {
  const { request, live, id, isNew, greeted, replacing } = question
  const { stores, storage } = core
  const { now, agent, transcript } = request
  const { sessionId } = live
  const asked = replacing?.questionId ?? null
  const body = { content: request.message, ...(transcript === null ? {} : { transcript }) }
  const sealed = asked === null ? await sealBody(keys, id, body) : ''
  const greeting = greeted && (await sealBody(keys, greeted.id, { content: greeted.content }))
  const attachments = asked === null ? await storeImages(core, keys, request) : []
  if (core.isClosed || (!isNew && !stores.sessions.has(sessionId))) {
    const paths = attachments.map((image) => attachmentPath(request.caller.address, image.id))
    await deleteFiles(core.env.FILES, paths)
    return whyGone(core)
  }
  core.storeFirst()
  const left = storage.transactionSync(() => {
    if (isStateless(request)) core.setStateless(sessionId)
    if (isNew) {
      const { channel, sessionAlias } = request
      const by = { agentId: agent.id, agentName: agent.name }
      stores.sessions.add({ id: sessionId, ...by, channel, alias: sessionAlias, now })
      if (greeted && greeting !== null) {
        const said = { role: 'assistant', status: 'complete', sealed: greeting } as const
        const message = { sessionId, id: greeted.id, ...said, agentName: agent.name, now }
        stores.messages.add(message)
        stores.sessions.countMessage(sessionId, now)
      }
    }
    stores.turns.begin({
      id: live.messageId,
      session_id: sessionId,
      user_message_id: asked ?? id,
      agent_id: agent.id,
      agent_name: agent.name,
      started_at: now,
      // An answer stays until there is another one.
      replaces: asked === null ? null : (replacing?.variantOf ?? null),
    })
    if (request.idempotency) {
      const { key, bodyHash } = request.idempotency
      stores.turns.addRepeat(key, bodyHash, live.messageId, sessionId, now)
    }
    if (asked !== null) return []
    const gone = replacing ? stores.messages.leave(sessionId, replacing.leaves, null) : []
    if (replacing) {
      stores.sessions.uncountMessages(sessionId, gone.length)
      stores.sessions.dropSummary(sessionId, replacing.leaves)
    }
    stores.messages.add({
      sessionId,
      id,
      role: 'user',
      agentName: null,
      status: 'complete',
      sealed,
      now,
      variantOf: replacing?.variantOf ?? null,
    })
    for (const image of attachments) {
      stores.attachments.add({ ...image, sessionId, messageId: id, now })
    }
    return gone
  })
  await core.wakeAt(Date.now() + LOOK_MS)
  if (asked !== null) return null
  if (replacing) {
    core.recent.forget(sessionId)
    await sendJobs(core.env, relearnJobs(request.caller.address, sessionId, left))
  }
  if (isNew) events.hint({ type: 'session', id: sessionId, change: 'created' })
  events.hint({
    type: 'message',
    id,
    session_id: sessionId,
    role: 'user',
    change: 'created',
  })
  const status = 'complete' as const
  const refused = false
  if (greeted) core.recent.add(sessionId, { ...greeted, role: 'assistant', status, refused }, isNew)
  const said = { role: 'user' as const, status, content: request.message, refused }
  core.recent.add(sessionId, { id, ...said }, isNew && !greeted)
  return null
}

function storeImages(core: SpaceCore, keys: SpaceKeys, request: TurnRequest) {
  return Promise.all(
    request.images.map(async (image) => {
      const id = core.mint(request.now)
      const { sealed, wrappedKey } = await keys.sealAttachment(id, image.bytes)
      await core.putFile(attachmentPath(request.caller.address, id), sealed)
      const nameSealed = await keys.seal('attachments', 'name', id, image.name)
      return { id, mime: image.mime, nameSealed, size: image.bytes.length, wrappedKey }
    }),
  )
}

/** An agent without history is told of nothing earlier and leaves nothing behind. */
export const isStateless = (request: TurnRequest) => request.agent.config.history_window === 0
