import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type PeerCertificate } from 'node:tls'

export interface Caddy {
  port: number
  /** The certificate of its own issuer, PEM; there is none before the first was issued. */
  readRoot(): Promise<string>
  /** What it has written to its log so far. */
  log(): string
  stop(): Promise<void>
}

const READY_MS = 15_000

/** A reverse proxy in front of the Worker that gets certificates on demand, from its own issuer, for names that the Worker allows. */
export async function startCaddy(worker: URL): Promise<Caddy> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-caddy-'))
  const [port, httpPort] = [await freePort(), await freePort()]
  const upstream = `127.0.0.1:${worker.port}`
  const file = join(folder, 'Caddyfile')
  await writeFile(
    file,
    `{
	admin off
	skip_install_trust
	auto_https disable_redirects
	http_port ${httpPort}
	https_port ${port}
	default_bind 127.0.0.1
	storage file_system ${join(folder, 'data')}
	on_demand_tls {
		ask http://${upstream}/internal/tls-allow
	}
}
https:// {
	tls internal {
		on_demand
	}
	reverse_proxy ${upstream} {
		header_up CF-Connecting-IP {remote_host}
	}
}
`,
  )
  const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      log += piece.toString('utf8')
    })
  }
  await isListening(child, () => log)
  return {
    port,
    readRoot: () => readFile(join(folder, 'data/pki/authorities/local/root.crt'), 'utf8'),
    log: () => log,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isListening(child: ChildProcess, log: () => string): Promise<void> {
  for (let waited = 0; waited < READY_MS; waited += 100) {
    if (log().includes('serving initial configuration')) return
    if (child.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The proxy did not start: ${log()}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export type Handshake = { ok: true; certificate: PeerCertificate } | { ok: false; error: string }

/** A TLS handshake for this name, verified against the issuer when one is given. */
export function shakeHands(port: number, servername: string, ca?: string): Promise<Handshake> {
  return new Promise((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername,
      timeout: 10_000,
      ...(ca === undefined ? { rejectUnauthorized: false } : { ca }),
    })
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate()
      socket.end()
      resolve({ ok: true, certificate })
    })
    const fail = (error: Error) => {
      socket.destroy()
      resolve({ ok: false, error: error.message })
    }
    socket.once('error', fail)
    socket.once('timeout', () => fail(new Error('timeout')))
  })
}
