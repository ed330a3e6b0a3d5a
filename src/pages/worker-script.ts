import { jsonForScript } from '../platform/html'
import type { PageAssets, WorkerFacts } from './types'

/** Which build of the pages this is: the addresses of its files change with their content. Pure. */
export function buildVersion(assets: PageAssets): string {
  const names = [assets.script, assets.style, assets.worker, ...assets.chunks]
  return names.map((name) => /-([A-Z0-9]+)\.\w+$/.exec(name)?.[1] ?? name).join('.')
}

/** The service worker of one page: what it keeps, and the code that all of them share. Pure. */
export function renderWorkerScript(home: string, assets: PageAssets): string {
  const facts: WorkerFacts = {
    home,
    version: buildVersion(assets),
    shell: [
      ...new Set([assets.script, ...assets.modules, ...assets.chunks, assets.style, assets.icon]),
    ],
  }
  return `self.PARLEY = ${String(jsonForScript(facts))}\nimportScripts(${JSON.stringify(assets.worker)})\n`
}

/** The page's own path is the widest that its worker may control: a worker's address is below it. */
export function workerHeaders(home: string): Record<string, string> {
  return {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Service-Worker-Allowed': home,
    'Content-Security-Policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
  }
}
