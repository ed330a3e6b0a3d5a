/** Lets at most `limit` hold it at once. `enter` waits for a place and gives the function that leaves it (once). */
export interface Gate {
  enter(): Promise<() => void>
}

export function createGate(limit: number): Gate {
  let inside = 0
  let waiting: (() => void)[] = []
  return {
    async enter() {
      while (inside >= limit) await new Promise<void>((wake) => waiting.push(wake))
      inside += 1
      let left = false
      return () => {
        if (left) return
        left = true
        inside -= 1
        // All are woken and look again: one that died with its request must not keep the others waiting.
        const woken = waiting
        waiting = []
        for (const wake of woken) wake()
      }
    },
  }
}
