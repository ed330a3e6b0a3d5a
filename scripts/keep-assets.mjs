/**
 * A page that was opened before a deployment goes on fetching its late parts afterwards, by names that only its own build
 * had. So each deployment carries the files of the former ones along for as long as such a page may be open.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The names of the former deployments' files, in the deployment itself; there is no other memory of them. */
const RECORD = 'kept.json'
/** Names with a hash never change their content. The console's parts have a folder of their own. */
const HASHED = /^(?:console\/)?[\w.-]+-[A-Z0-9]{8}\.(?:js|css|json|svg)$/
/** As long as an end user's token lives without a new sign-in, twice over. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000
/** A deployment may hold 20,000 files, and a build has some four hundred. */
const KEPT_DEPLOYMENTS = 40
const PATIENCE_MS = 20_000
const AT_ONCE = 10

/**
 * Adds the files of former deployments to what was just built, and writes which files this deployment has.
 * @param base origin that serves the pages today; '' where it is not known
 * @param folder the built `public/assets`
 * @returns how many files were added, and why they are not all there, or null
 */
export async function keepAssets({ base, folder, fetch = globalThis.fetch, now = Date.now() }) {
  const built = readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => HASHED.test(name))
  const { deployments, lack } = await readRecord(base, fetch)
  const former = deployments
    .filter(({ at }) => Date.parse(at) > now - KEPT_MS)
    .slice(0, KEPT_DEPLOYMENTS - 1)
  const wanted = [...new Set(former.flatMap(({ files }) => files))].filter(
    (name) => HASHED.test(name) && !existsSync(join(folder, name)),
  )
  const lost = []
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const part = wanted.slice(from, from + AT_ONCE)
    await Promise.all(
      part.map(async (name) => {
        const bytes = await read(`${base}/assets/${name}`, fetch)
        if (bytes === null) lost.push(name)
        else {
          mkdirSync(dirname(join(folder, name)), { recursive: true })
          writeFileSync(join(folder, name), bytes)
        }
      }),
    )
  }
  const record = [{ at: new Date(now).toISOString(), files: built }, ...former]
  writeFileSync(join(folder, RECORD), `${JSON.stringify({ deployments: record })}\n`)
  return {
    added: wanted.length - lost.length,
    lack: lost.length > 0 ? `${lost.length} files could not be fetched` : lack,
  }
}

/** A deployment without the record is the first one that keeps any. */
async function readRecord(base, fetch) {
  if (base === '') return { deployments: [], lack: 'PUBLIC_BASE does not say where they are' }
  const bytes = await read(`${base}/assets/${RECORD}`, fetch)
  if (bytes === null) return { deployments: [], lack: `${base} names none` }
  try {
    const { deployments } = JSON.parse(Buffer.from(bytes).toString())
    const isRead = deployments.every(
      ({ at, files }) => Number.isFinite(Date.parse(at)) && Array.isArray(files),
    )
    return isRead ? { deployments, lack: null } : { deployments: [], lack: 'their list is damaged' }
  } catch {
    return { deployments: [], lack: 'their list is damaged' }
  }
}

/** Null where it is not there or does not come: a deployment never waits for what is gone. */
async function read(url, fetch) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null
  } catch {
    return null
  }
}
