import { type Parley, startParley } from './harness'
import { type Loopback, startLoopback } from './loopback'
import { startTelegram } from './telegram-server'
import { makeWorld, type World } from './world'

export interface WorldServer {
  parley: Parley
  world: World
  page: Loopback
  close(): Promise<void>
}

/** The Worker with a world in it, and the peers that examples call; `pairs`: other servers that it may reach. */
export async function startWorld(
  vars: Record<string, string> = {},
  pairs: string[] = [],
): Promise<WorldServer> {
  const page = await startLoopback((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<h1>Page</h1><p>A page of one line.</p>')
  })
  const telegram = await startTelegram()
  const parley = await startParley({
    EGRESS_ALLOW: [page.pair, ...pairs].join(','),
    TELEGRAM_URL: telegram.url,
    ...vars,
  })
  return {
    parley,
    page,
    world: await makeWorld(parley, page.origin, telegram),
    close: async () => {
      await parley.close()
      await page.close()
      await telegram.close()
    },
  }
}
