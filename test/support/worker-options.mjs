import { readFileSync } from 'node:fs'
import { listModules } from '../../scripts/list-modules.mjs'

/**
 * The built bundle as miniflare starts it.
 * @param {{bundle: string, options: string}} built folder of the bundle, file of what wrangler.toml says
 * @param {Record<string, string>} vars
 * @param {{patientQueues?: boolean, publicFiles?: boolean}} choice queues gather messages for as long as wrangler.toml says,
 *   else they hand on at once; files of `public` are served, which puts three Workers of miniflare before each request
 */
export function workerOptions({ bundle, options }, vars, { patientQueues, publicFiles } = {}) {
  const { assets, ...said } = JSON.parse(readFileSync(options, 'utf8'))
  if (!patientQueues)
    for (const consumer of Object.values(said.queueConsumers)) consumer.maxBatchTimeout = 0
  return {
    name: 'app',
    ...said,
    ...(publicFiles ? { assets } : {}),
    bindings: { ...said.bindings, ...vars },
    modulesRoot: bundle,
    modules: listModules(bundle),
    unsafeDirectSockets: [{ host: SERVER_OPTIONS.host, port: 0 }],
  }
}

/** What every start of miniflare has in common. */
export const SERVER_OPTIONS = { port: 0, host: '127.0.0.1', cf: false, logRequests: false }
