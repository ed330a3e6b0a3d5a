import { expect, it } from 'vitest'
import { send } from '../../support/harness'
import { startLoopback } from '../../support/loopback'

it.each([false, true])('names the call that hangs, with a part of its answer: %s', async (part) => {
  const peer = await startLoopback((_request, response) => {
    if (part) response.writeHead(200, { 'content-length': 2 }).write('a')
  })
  const call = send(new URL(peer.origin), 'GET', '/slow', {}, 50)
  await expect(call).rejects.toThrow(part ? 'aborted' : 'GET /slow: nothing came for 50 ms')
  await peer.close()
})
