import type { TurnEvent } from '../events'

const EVERY_MS = 2_000

/** Waits for a decision, and tells the listeners so at once and every two seconds. */
export async function* whileChecking<T>(work: Promise<T>): AsyncGenerator<TurnEvent, T> {
  const done = work.then((value) => ({ value }))
  for (;;) {
    yield { type: 'status', stage: 'checking' }
    let timer: ReturnType<typeof setTimeout> | undefined
    const tick = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, EVERY_MS, null)
    })
    const settled = await Promise.race([done, tick])
    clearTimeout(timer)
    if (settled !== null) return settled.value
  }
}
