/** Waits, but goes on at once when the browser comes back online. Rejects when the signal aborts. */
export function pauseUntilOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = new AbortController()
    const finish = (settle: () => void) => () => {
      clearTimeout(timer)
      end.abort()
      settle()
    }
    const timer = setTimeout(finish(resolve), ms)
    addEventListener('online', finish(resolve), { signal: end.signal })
    signal.addEventListener(
      'abort',
      finish(() => reject(signal.reason)),
      { signal: end.signal },
    )
  })
}
