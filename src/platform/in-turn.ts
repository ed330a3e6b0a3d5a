const PATIENCE_MS = 2000

interface Queue {
  tail: Promise<void>
  /** When one of them last began or ended. */
  movedAt: number
}

const queues = new Map<string, Queue>()

/**
 * Runs work of one name one after the other within this isolate, so that writes which would race for a row do not. Advisory:
 * the database decides races between isolates. However long the queue, everyone waits while it moves; when nothing has begun
 * or ended for that long (a request died in its turn), the next one goes on.
 */
export async function inTurn<T>(
  name: string,
  work: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const queue = queues.get(name) ?? { tail: Promise.resolve(), movedAt: Date.now() }
  queues.set(name, queue)
  const before = queue.tail
  const { promise, resolve } = Promise.withResolvers<void>()
  queue.tail = promise
  try {
    await ended(before, queue, patienceMs)
    queue.movedAt = Date.now()
    return await work()
  } finally {
    queue.movedAt = Date.now()
    if (queue.tail === promise) queues.delete(name)
    resolve()
  }
}

/** Resolves once the work before has ended, or the queue stands still. */
async function ended(work: Promise<void>, queue: Queue, patienceMs: number): Promise<void> {
  for (;;) {
    const left = queue.movedAt + patienceMs - Date.now()
    if (left <= 0 || (await settledWithin(work, left))) return
  }
}

async function settledWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const settled = await Promise.race([work.then(() => true), late])
  clearTimeout(timer)
  return settled
}
