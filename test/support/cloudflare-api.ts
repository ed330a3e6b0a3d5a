import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const API = '/client/v4/accounts/account-1'
/** The limits of a deployment's files, as the platform documents them. */
const MAX_FILES = 20_000
const MAX_BYTES = 25 * 1024 * 1024
/** Few, so that more than one request is needed. */
const BUCKET = 3

type Manifest = Record<string, { hash: string; size: number }>

/**
 * What of Cloudflare's API a deployment with static files speaks, on the loopback: a session for the manifest, which
 * names what is not known yet, uploads in base64, and the script that takes the files on by the token of the last one.
 * It serves the files of what was deployed last, as the deployment itself would.
 * https://developers.cloudflare.com/workers/static-assets/direct-upload/
 */
export class CloudflareApi {
  /** Hashes that were uploaded, over all deployments. */
  readonly uploaded: string[] = []
  /** A call (`PUT /workers/scripts/parley`) that is answered with 500, as often as this says. */
  breaks: { call: string; times: number } = { call: '', times: 0 }
  readonly #bytes = new Map<string, Buffer>()
  readonly #sessions = new Map<string, Manifest>()
  #served: Manifest = {}
  #count = 0
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** What tells wrangler that this is Cloudflare. */
  get env(): Record<string, string> {
    return {
      CLOUDFLARE_API_BASE_URL: `${this.origin}/client/v4`,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'account-1',
    }
  }

  /** Paths that the deployment serves. */
  get served(): string[] {
    return Object.keys(this.#served).sort()
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    if (!url.pathname.startsWith('/client/v4')) return this.#serve(url.pathname, response)
    const path = url.pathname.slice(API.length)
    const call = `${request.method} ${path}`
    if (this.breaks.times > 0 && call === this.breaks.call) {
      this.breaks.times -= 1
      return refuse(response, 500, 'internal error')
    }
    if (call === 'POST /workers/scripts/parley/assets-upload-session')
      return this.#begin(JSON.parse(body.toString()).manifest, response)
    if (call === 'POST /workers/assets/upload') return this.#upload(request, url, body, response)
    if (call === 'PUT /workers/scripts/parley') return this.#deploy(request, body, response)
    if (call === 'GET /workers/workers/parley')
      return answer(response, 200, { id: 'parley', name: 'parley', subdomain: {} })
    if (call === 'POST /workers/scripts/parley/subdomain')
      return answer(response, 200, { enabled: false, previews_enabled: false })
    // A Worker that is not there yet.
    refuse(response, 404, 'not found')
  }

  #begin(manifest: Manifest, response: ServerResponse): void {
    const files = Object.values(manifest)
    const isSound = files.every(({ hash, size }) => /^[0-9a-f]{32}$/.test(hash) && size < MAX_BYTES)
    if (!isSound || files.length > MAX_FILES) {
      refuse(response, 400, 'manifest refused')
      return
    }
    const token = this.#token()
    this.#sessions.set(token, manifest)
    const lacks = this.#lacking(manifest)
    const buckets = Array.from({ length: Math.ceil(lacks.length / BUCKET) }, (_, n) =>
      lacks.slice(n * BUCKET, (n + 1) * BUCKET),
    )
    answer(response, 200, { jwt: token, buckets })
  }

  async #upload(
    request: IncomingMessage,
    url: URL,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const manifest = this.#sessions.get(token)
    if (!manifest || url.searchParams.get('base64') !== 'true')
      return refuse(response, 401, 'no session')
    for (const [hash, part] of await formOf(request, body)) {
      const text = typeof part === 'string' ? part : await part.text()
      this.#bytes.set(hash, Buffer.from(text, 'base64'))
      this.uploaded.push(hash)
    }
    const isWhole = this.#lacking(manifest).length === 0
    answer(response, isWhole ? 201 : 202, isWhole ? { jwt: token } : {})
  }

  async #deploy(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const form = await formOf(request, body)
    const { assets } = JSON.parse(String(form.get('metadata')))
    const manifest = this.#sessions.get(assets?.jwt)
    if (!manifest || this.#lacking(manifest).length > 0)
      return refuse(response, 400, 'the files are not there')
    this.#served = manifest
    answer(response, 200, { id: 'parley', startup_time_ms: 1, deployment_id: `d${this.#count}` })
  }

  #serve(path: string, response: ServerResponse): void {
    const bytes = this.#bytes.get(this.#served[path]?.hash ?? '')
    if (bytes) response.writeHead(200).end(bytes)
    else response.writeHead(404).end()
  }

  #lacking(manifest: Manifest): string[] {
    const hashes = new Set(Object.values(manifest).map(({ hash }) => hash))
    return [...hashes].filter((hash) => !this.#bytes.has(hash))
  }

  /** In the form of a token, since clients read what it says. */
  #token(): string {
    this.#count += 1
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${part({ alg: 'none' })}.${part({ n: this.#count })}.x`
  }
}

const formOf = ({ headers }: IncomingMessage, body: Buffer): Promise<FormData> =>
  new Response(new Uint8Array(body), {
    headers: { 'Content-Type': headers['content-type'] ?? '' },
  }).formData()

function answer(response: ServerResponse, status: number, result: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ success: true, errors: [], messages: [], result }))
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  const errors = [{ code: status === 404 ? 10007 : 10000, message }]
  response.end(JSON.stringify({ success: false, errors, messages: [], result: null }))
}
