import type { Job } from '../../../src/jobs/job'
import type { SpaceAddress } from '../../../src/platform/stubs'
import type { ChangedMessage } from './message-store'

/** What the user's messages taught is learnt anew, or forgotten, once they came into the history or left it. */
export const relearnJobs = (
  address: SpaceAddress,
  sessionId: string,
  changed: readonly ChangedMessage[],
): Job[] =>
  changed.flatMap(({ id, role }) =>
    role === 'user' ? [{ type: 'message.relearn', ...address, sessionId, messageId: id }] : [],
  )
