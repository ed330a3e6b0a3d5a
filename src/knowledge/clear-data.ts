import type { BaseContext } from '../context'
import type { Job } from '../jobs/job'
import { sendJobs } from '../platform/queue'

type ClearingJob = Extract<Job, { type: 'document.delete' | 'base.delete' }>

/** Longer than a write that was begun takes to end. */
const LATER_S = 60

/** Before the write: whatever is lost of it or after it, nothing of what is gone is found for long. */
export const clearLater = (env: Env, job: ClearingJob): Promise<void> =>
  sendJobs(env, [job], LATER_S)

/** After the write: at once. Where no queue takes that, it is done later. */
export const clearSoon = ({ env, log }: Pick<BaseContext, 'env' | 'log'>, job: ClearingJob) =>
  sendJobs(env, [job]).catch((error: unknown) => log.error('not_cleared_at_once', error))
