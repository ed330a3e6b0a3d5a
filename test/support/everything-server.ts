import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ROOT } from './build-once'

export interface EverythingServer {
  url: string
  /** `host:port`, as EGRESS_ALLOW takes it. */
  pair: string
  close(): Promise<void>
}

const START_MS = 20_000

/** The protocol's reference server as a process of its own, on a free port of 127.0.0.1, with an environment of nothing. */
export async function startEverything(
  transport: 'streamableHttp' | 'sse',
): Promise<EverythingServer> {
  const port = await freePort()
  const entry = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'
  const env = { PORT: String(port) } as unknown as NodeJS.ProcessEnv
  const options: SpawnOptions = { cwd: ROOT, env, stdio: 'ignore' }
  const child = spawn(process.execPath, [join(ROOT, entry), transport], options)
  const origin = `http://127.0.0.1:${port}`
  await waitUntilUp(child, origin)
  return {
    url: `${origin}/${transport === 'sse' ? 'sse' : 'mcp'}`,
    pair: `127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

async function waitUntilUp(child: ChildProcess, origin: string): Promise<void> {
  const endsAt = Date.now() + START_MS
  while (Date.now() < endsAt && child.exitCode === null) {
    const up = await fetch(`${origin}/none`).then(
      () => true,
      () => false,
    )
    if (up) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error('The reference server does not start')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
