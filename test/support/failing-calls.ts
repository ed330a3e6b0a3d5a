import type { Fault } from '../fakes/failing'
import type { Parley } from './harness'
import { waitFor } from './seed'

/** Makes calls of bindings fail in a Worker that was started with `failing`. */
export function failingCalls(parley: Pick<Parley, 'call'>) {
  /** From now on; null: none any more. */
  const fail = async (fault: Fault | null): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    await parley.call('POST', '/__fail', { body: JSON.stringify(fault), headers })
  }
  return {
    fail,
    /** Once nothing goes on behind an answer. @returns the calls since `fail`. */
    settled: (): Promise<string[]> =>
      waitFor(async () => {
        const { json } = await parley.call('GET', '/__calls')
        return json.settled ? json.calls : null
      }),
  }
}
