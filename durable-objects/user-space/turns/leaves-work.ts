import { LIMITS } from '../../../src/config/limits'
import type { SpaceCore } from '../core/space-core'
import type { SessionRow } from '../sessions/session-row'
import { lacksTitleVector } from '../sessions/title-vectors'
import type { NewTurn } from './admission'
import type { LiveOutcome } from './run-live-turn'
import { wantsWords } from './title-and-summary'

/**
 * Whether a turn leaves something for its following job, asked before it is stored: a message of the queue costs more than
 * all else that a plain turn writes. What says yes may turn out to be nothing; what says no is nothing.
 * @param session as it was before the turn is stored; undefined where it is gone
 * @param listens whether a webhook waits for turns, null when that is not known
 * @param isFollowed whether a job that an earlier turn of the session left is still to be done: it makes title and summary.
 */
export function leavesWork(
  core: SpaceCore,
  session: SessionRow | undefined,
  { request, known }: Pick<NewTurn, 'request' | 'known'>,
  { outcome, status }: Pick<LiveOutcome, 'outcome' | 'status'>,
  listens: boolean | null,
  isFollowed: boolean,
): boolean {
  const { stores } = core
  if (!session) return false
  // A new session is counted, too.
  if (session.message_count === 0 || listens !== false) return true
  const window = request.agent.config.history_window ?? LIMITS.historyWindow.default
  if (!isFollowed && (wantsWords(stores, session, window) || lacksTitleVector(core, session)))
    return true
  if (status === 'failed') return false
  const { finishReason, unsourced } = outcome
  if (unsourced.length > 0 || finishReason === 'no_match') return true
  return finishReason !== 'guard' && core.remembers(session.id) && known.speaksOfSelf
}
