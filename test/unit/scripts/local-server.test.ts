import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { checkNode, findFreePort, isPortFree, originOf } from '../../../scripts/local-server.mjs'
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

describe('a Node that is too old', () => {
  it('is told so, and how npm brings the right one', () => {
    for (const version of ['20.20.2', '22.11.0'])
      expect(() => checkNode(version)).toThrow(
        /^Node [\d.]+ is too old\..*npm run dev\n.*npm rebuild node --ignore-scripts=false$/,
      )
    for (const version of ['22.12.0', '24.21.0']) expect(() => checkNode(version)).not.toThrow()
  })

  it('comes as far as that: what node:module has since is not imported by name', () => {
    const source = readFileSync('scripts/local-server.mjs', 'utf8')
    expect(source).toContain("import module from 'node:module'")
    expect(source).not.toMatch(/import \{[^}]*\} from 'node:module'/)
  })
})
