import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { findFreePort, isPortFree, originOf } from '../../../scripts/local-server.mjs'
import { SetupError } from '../../../scripts/run-script.mjs'

describe('where a local run listens', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8787'],
    ['localhost', 'http://localhost:8787'],
    ['::1', 'http://[::1]:8787'],
    ['0.0.0.0', 'http://127.0.0.1:8787'],
    ['::', 'http://[::1]:8787'],
  ])('is reached from this machine: %s', (host, origin) => {
    expect(originOf(host, 8787)).toBe(origin)
    expect(new URL(originOf(host, 8787)).port).toBe('8787')
  })

  it('tells a port that is taken from an address where nobody can listen', async () => {
    const port = await findFreePort()
    expect(await isPortFree(port)).toBe(true)
    const other = createServer()
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done))
    expect(await isPortFree(port)).toBe(false)
    await new Promise((done) => other.close(done))
    // A range for documents: no machine has such an address.
    await expect(isPortFree(port, '192.0.2.1')).rejects.toThrow(
      new SetupError(
        `Parley cannot listen there: listen EADDRNOTAVAIL: address not available 192.0.2.1:${port}`,
      ),
    )
  })
})
