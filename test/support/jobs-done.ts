import type { Job } from '../../src/jobs/job'
import type { Parley } from './harness'
import { waitFor } from './seed'

/**
 * Counts the jobs of a type from here on.
 * @returns what resolves once so many more are done: then what was to come of them is there, or never comes.
 */
export function countJobs(
  { server }: { server: Pick<Parley['server'], 'getLogs'> },
  type: Job['type'],
) {
  const done = () =>
    server
      .getLogs()
      .filter(({ message }) => message.includes('"job_done"') && message.includes(`"${type}"`))
      .length
  const before = done()
  return async (more = 1): Promise<void> => {
    await waitFor(async () => (done() >= before + more ? true : null))
  }
}
