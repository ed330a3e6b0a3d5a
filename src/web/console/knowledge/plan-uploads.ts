import type { Imported } from './base'

/** What one request carries at most, as the API says, and so many files, so that progress shows. */
export const MOST_BYTES = 25 * 1024 * 1024
const USUAL_BYTES = 8 * 1024 * 1024
const MOST_FILES = 20

interface Sized {
  name: string
  size: number
}

export interface Outcome {
  path: string
  state: 'added' | 'unchanged' | 'refused'
  reason: string | null
}

/**
 * Files by request: few requests, since an hour has sixty, but none of more bytes than is taken. What is too large for any
 * stands apart. A zip goes alone: what it holds is not known.
 */
export function planUploads<F extends Sized>(
  files: readonly F[],
): { requests: F[][]; tooLarge: F[] } {
  const requests: F[][] = []
  const tooLarge: F[] = []
  let open: F[] = []
  let bytes = 0
  for (const file of files) {
    if (file.size > MOST_BYTES) tooLarge.push(file)
    else if (isZip(file)) requests.push([file])
    else {
      if (open.length === MOST_FILES || (open.length > 0 && bytes + file.size > USUAL_BYTES)) {
        requests.push(open)
        open = []
        bytes = 0
      }
      open.push(file)
      bytes += file.size
    }
  }
  if (open.length > 0) requests.push(open)
  return { requests, tooLarge }
}

const isZip = ({ name }: Sized) => name.toLowerCase().endsWith('.zip')

/** An answer, path by path. */
export function outcomesOf({ documents, skipped, failed }: Imported): Outcome[] {
  return [
    ...documents.map(({ path }): Outcome => ({ path, state: 'added', reason: null })),
    ...skipped.map(
      ({ path, reason }): Outcome =>
        reason === 'unchanged'
          ? { path, state: 'unchanged', reason: null }
          : { path, state: 'refused', reason },
    ),
    ...failed.map(({ path, reason }): Outcome => ({ path, state: 'refused', reason })),
  ]
}

/** A lone file that cannot be taken is a refusal of the whole request: its words are that file's. */
export function refusalOf(
  request: readonly Sized[],
  problem: { status: number; detail: string; body: unknown },
): Outcome | null {
  const [only, ...more] = request
  if (!only || more.length > 0 || ![413, 415, 422].includes(problem.status)) return null
  const { reason } = (problem.body ?? {}) as { reason?: unknown }
  return {
    path: only.name,
    state: 'refused',
    reason: typeof reason === 'string' ? reason : problem.detail,
  }
}
