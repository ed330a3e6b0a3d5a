import { readFileSync } from 'node:fs'
import { listModules } from '../../scripts/list-modules.mjs'

/**
 * The built bundle as miniflare starts it.
 * @param {{bundle: string, options: string}} built folder of the bundle, file of what wrangler.toml says
 * @param {Record<string, string>} vars
 * @param {boolean} patient queues gather messages for as long as wrangler.toml says; else they hand on at once
 */
export function workerOptions({ bundle, options }, vars, patient = false) {
  const said = JSON.parse(readFileSync(options, 'utf8'))
  if (!patient)
    for (const consumer of Object.values(said.queueConsumers)) consumer.maxBatchTimeout = 0
  return {
    name: 'app',
    ...said,
    bindings: { ...said.bindings, ...vars },
    modulesRoot: bundle,
    modules: listModules(bundle),
  }
}

/** What every start of miniflare has in common. */
export const SERVER_OPTIONS = { port: 0, host: '127.0.0.1', cf: false, logRequests: false }
