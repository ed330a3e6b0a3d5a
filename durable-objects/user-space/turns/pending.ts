import type { Pending } from '../../../src/chat/asking/asked'
import type { Replacing } from '../../../src/sessions/variants.lazy'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import { readBody } from '../sessions/message-body'
import type { LiveTurn } from './live-turn'

/** The message that is answered, and a few attempts at it that failed, stand behind the reply. */
const NEAR = 8

/**
 * What the reply before a turn waits for, before what it stands in the place of. A turn that failed has taken nothing: its
 * message may be sent again.
 */
export async function readPending(
  { stores }: SpaceCore,
  keys: SpaceKeys,
  { sessionId, messageId }: Pick<LiveTurn, 'sessionId' | 'messageId'>,
  replacing: Replacing | null,
): Promise<Pending | null> {
  const near = stores.messages.last(sessionId, NEAR, replacing?.before ?? messageId)
  const reply = near.find(({ role, status }) => role === 'assistant' && status !== 'failed')
  const body = reply ? await readBody(keys, reply) : null
  return body?.pending ?? null
}
