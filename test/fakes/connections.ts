/** Requests of one invocation that are open at once: /workers/platform/limits#simultaneous-open-connections. */
const CONNECTIONS = 6

/**
 * `fetch` as an invocation has it: a further request waits until a connection is free, which it is once a peer has answered
 * with a body that is read (here: at once), or the request was given up.
 */
export function invocationFetch(answer: (url: URL) => Promise<Response>): typeof fetch {
  let open = 0
  const waiting: (() => void)[] = []
  return async (input, init) => {
    const aborted = new Promise<never>((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
    while (open >= CONNECTIONS)
      await Promise.race([aborted, new Promise<void>((free) => waiting.push(free))])
    open++
    try {
      return await Promise.race([aborted, answer(new URL(String(input)))])
    } finally {
      open--
      for (const free of waiting.splice(0)) free()
    }
  }
}
