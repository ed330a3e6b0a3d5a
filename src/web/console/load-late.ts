import { ApiProblem, NEW_VERSION } from './api/problem'

interface Manifest {
  console: { script: string }
}

/**
 * Loads a part of the console, or words, that was not there when it started. Rejects with an ApiProblem that says why it
 * does not come: its hashed file is gone with a deployment (NEW_VERSION), there is no network, or it is broken.
 */
export async function loadLate<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    throw error instanceof ApiProblem ? error : await sayWhy(error)
  }
}

/** The list of the served build names another start than the one that runs here. */
async function sayWhy(error: unknown): Promise<ApiProblem> {
  const manifest = await readManifest()
  if (manifest === null) return new ApiProblem(0, 'offline')
  const running = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src
  const served = new URL(manifest.console.script, location.origin).href
  return running === served
    ? new ApiProblem(0, String(error), 'page')
    : new ApiProblem(0, 'new version', NEW_VERSION)
}

async function readManifest(): Promise<Manifest | null> {
  try {
    const response = await fetch('/assets/manifest.json', { cache: 'no-store' })
    return response.ok ? ((await response.json()) as Manifest) : null
  } catch {
    return null
  }
}
