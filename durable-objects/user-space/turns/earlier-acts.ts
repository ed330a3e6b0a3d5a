import type { Act } from '../../../src/chat/acts'
import type { Replacing } from '../../../src/sessions/variants.lazy'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import { readBody } from '../sessions/message-body'
import type { MessageRow } from '../sessions/message-store'
import type { LiveTurn } from './live-turn'

/** Replies behind what is replaced, and attempts that failed: no more of them are looked at. */
const MOST = 32

/**
 * Calls of tools that act which a turn is not to make again: those of what it stands in the place of and of what came after
 * that, and those of attempts that failed just before it.
 */
export async function readEarlierActs(
  { stores }: SpaceCore,
  keys: SpaceKeys,
  { sessionId, messageId }: Pick<LiveTurn, 'sessionId' | 'messageId'>,
  replacing: Replacing | null,
): Promise<Act[]> {
  const rows = replacing
    ? stores.messages.repliesAfter(sessionId, replacing.before, MOST)
    : failedBefore(stores.messages.last(sessionId, MOST, messageId))
  const bodies = await Promise.all(rows.map((row) => readBody(keys, row)))
  return bodies.flatMap((body) => body?.acts ?? [])
}

function failedBefore(latestFirst: readonly MessageRow[]): MessageRow[] {
  const replies = latestFirst.filter(({ role }) => role === 'assistant')
  const answered = replies.findIndex(({ status }) => status !== 'failed')
  return answered < 0 ? replies : replies.slice(0, answered)
}
