import { type Beside, type Parley, shareStart, startParley } from '../support/harness'

/** The Worker as a browser meets it: behind the platform's edge, which serves the files of `public`. */
export async function startSite(
  vars: Record<string, string> = {},
  beside: Beside = {},
): Promise<Parley> {
  const parley = await startParley(vars, { ...beside, publicFiles: true })
  return { ...parley, url: parley.edge }
}

/** The site that test files of one process have in common: for those that keep to their own tenants. */
export const sharedSite = shareStart(() => startSite())
