import { BACKGROUND } from '../config/limits'

/** Calls of this isolate that somebody waits for, and when the last of them was over. */
let waiting = 0
let lastAt = 0

/** Runs what somebody waits for. Background work of this isolate lets it go first; nothing that lasts belongs here. */
export async function goFirst<T>(work: () => Promise<T>): Promise<T> {
  waiting += 1
  try {
    return await work()
  } finally {
    waiting -= 1
    lastAt = Date.now()
  }
}

/** Whether somebody waits, or did a moment ago: then background work is done in small pieces. */
export const isAwaited = (): boolean => waiting > 0 || Date.now() - lastAt < BACKGROUND.awaitedForMs

/**
 * Between two pieces of background work: lets what came meanwhile begin, and what somebody waits for end, for a bounded time,
 * so that the work goes on however many ask. Returns at once while nobody asks.
 */
export async function giveWay(): Promise<void> {
  if (!isAwaited()) return
  await letIn()
  for (let waits = 1; waiting > 0 && waits < BACKGROUND.mostWaits; waits++) {
    await pause(1)
  }
}

/** Lets what came meanwhile begin. */
export const letIn = (): Promise<void> => pause(0)

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
