const PATIENCE_MS = 2000

const tails = new Map<string, Promise<void>>()

/**
 * Runs work of one name one after the other within this isolate, so that writes which would race for a row do not. Advisory:
 * the database decides races between isolates. A predecessor whose request died is waited for two seconds at most.
 */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(name)
  const { promise, resolve } = Promise.withResolvers<void>()
  tails.set(name, promise)
  try {
    if (before) await settledWithin(before, PATIENCE_MS)
    return await work()
  } finally {
    if (tails.get(name) === promise) tails.delete(name)
    resolve()
  }
}

async function settledWithin(work: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
