import { type Beside, type Parley, startParley } from '../support/harness'

/** The Worker as a browser meets it: behind the platform's edge, which serves the files of `public`. */
export async function startSite(
  vars: Record<string, string> = {},
  beside: Beside = {},
): Promise<Parley> {
  const parley = await startParley(vars, { ...beside, publicFiles: true })
  return { ...parley, url: parley.edge }
}

let shared: Promise<Parley> | undefined

/** The site that test files of one process have in common: for those that keep to their own tenants. `close` leaves it to the next file. */
export function sharedSite(): Promise<Parley> {
  shared ??= startSite().then((parley) => ({ ...parley, close: async () => {} }))
  return shared
}
