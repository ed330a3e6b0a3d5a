import { cpuTime } from './cpu-time'

/** Less than this tells nothing of growth: start-up, garbage and other processes make as much, in milliseconds. */
const QUIET_MS = 200
/** Of four times the size: linear work is four times as much, square work sixteen times. */
const MOST_GROWTH = 9
const TRIES = 4

/**
 * Whether work grows with its size and not with the square of it, told by this process's CPU time at a quarter of the size and at
 * the whole. Slow and busy machines slow both; of what still disturbs one run, another try is free.
 */
export async function growsLinearly(
  size: number,
  run: (size: number) => unknown,
): Promise<boolean> {
  const timed = async (of: number) => {
    const before = cpuTime()
    await run(of)
    return cpuTime() - before
  }
  // What is compiled, loaded and cached at first use is in neither.
  await run(Math.ceil(size / 16))
  let quarter = Number.POSITIVE_INFINITY
  for (let i = 0; i < TRIES; i++) {
    quarter = Math.min(quarter, await timed(Math.ceil(size / 4)))
    if ((await timed(size)) < Math.max(QUIET_MS, quarter * MOST_GROWTH)) return true
  }
  return false
}
