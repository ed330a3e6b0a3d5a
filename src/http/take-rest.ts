/** As much of a refused body is still taken; the largest that is not refused for its size has 25 MiB. */
const REST_BYTES = 128 * 1024 * 1024
/** A sender of whom nothing came so long waits for the answer. */
const START_MS = 250
/** One that has begun is busy with its next part: on a loaded machine that takes more than a quarter of a second. */
const STALL_MS = 3000

/**
 * Takes what still comes of a body that was refused before anybody read it. The local runtime ends a connection with a body
 * left in it, and most clients send first and listen then: they would see a broken connection in place of the refusal.
 */
export async function takeRest({ body, bodyUsed }: Request): Promise<void> {
  if (body === null || bodyUsed || body.locked) return
  const reader = body.getReader()
  for (let taken = 0; taken < REST_BYTES; ) {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stalled = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, taken === 0 ? START_MS : STALL_MS, null)
    })
    const part = await Promise.race([reader.read().catch(() => null), stalled])
    // A runtime allows ten thousand timers at a time.
    clearTimeout(timer)
    if (part === null || part.done) return
    taken += part.value.byteLength
  }
}
