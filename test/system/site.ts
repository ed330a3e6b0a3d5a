import { type Beside, type Parley, startParley } from '../support/harness'

/** The Worker as a browser meets it: behind the platform's edge, which serves the files of `public`. */
export async function startSite(
  vars: Record<string, string> = {},
  beside: Beside = {},
): Promise<Parley> {
  const parley = await startParley(vars, { ...beside, publicFiles: true })
  return { ...parley, url: parley.edge }
}
