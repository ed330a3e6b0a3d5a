import { afterAll } from 'vitest'
import { loopFaults, loopRan, loopReached } from './loop-sites'

// The names that count-loops.ts writes into test files.
Object.assign(globalThis, { loopReached, loopRan })

// A loop over nothing checks nothing and passes.
afterAll(() => {
  const faults = loopFaults()
  if (faults.length > 0)
    throw new Error(`Loops that check something and never ran, by line: ${faults.join(', ')}`)
})
