import type { Answer } from './harness'
import { headersOf, KeptConnections } from './kept-connections'

export interface RawOptions {
  /** A list is sent as that many lines of the same name. */
  headers?: Record<string, string | string[]>
  body?: unknown
  /** Sends the body in chunks, without a length. */
  chunked?: boolean
  /** Leaves after the first piece of the answer. */
  untilFirst?: boolean
  /** Announces so many bytes and sends none of them. */
  announces?: number
}

const DEADLINE_MS = 20_000
const connections = new KeptConnections(16)

/**
 * One request exactly as written: the path is not normalised, header lines may repeat.
 * @throws Error when nothing came within 20 s: no input may hang the Worker.
 */
export async function rawSend(
  base: URL,
  method: string,
  path: string,
  { headers = {}, body, chunked = false, untilFirst = false, announces }: RawOptions = {},
): Promise<Answer> {
  const { bytes, type } = await encode(body)
  const lines: Record<string, string | string[]> = {
    ...(type === null ? {} : { 'content-type': type }),
    ...(bytes === null
      ? {}
      : chunked
        ? { 'transfer-encoding': 'chunked' }
        : { 'content-length': String(bytes.length) }),
    ...(announces === undefined ? {} : { 'content-length': String(announces) }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const outgoing = connections.request(
      { host: base.hostname, port: base.port, method, path, headers: lines },
      (response) => {
        const parts: Buffer[] = []
        const finish = () => {
          clearTimeout(timer)
          if (announces !== undefined) outgoing.destroy()
          const text = Buffer.concat(parts).toString()
          const status = response.statusCode ?? 0
          resolve({ status, headers: headersOf(response), text, json: parse(text) })
        }
        response.on('data', (part: Buffer) => {
          parts.push(part)
          if (!untilFirst) return
          finish()
          outgoing.destroy()
        })
        response.on('error', reject)
        response.on('end', finish)
      },
    )
    const timer = setTimeout(() => {
      outgoing.destroy()
      reject(new Error(`${method} ${path.slice(0, 200)} gave no answer within ${DEADLINE_MS} ms`))
    }, DEADLINE_MS)
    outgoing.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    if (announces !== undefined) outgoing.flushHeaders()
    else if (bytes === null) outgoing.end()
    else if (!chunked) outgoing.end(bytes)
    else {
      for (let i = 0; i < bytes.length; i += CHUNK_BYTES)
        outgoing.write(bytes.subarray(i, i + CHUNK_BYTES))
      outgoing.end()
    }
  })
}

const CHUNK_BYTES = 64 * 1024

async function encode(body: unknown): Promise<{ bytes: Uint8Array | null; type: string | null }> {
  if (body === undefined) return { bytes: null, type: null }
  if (body instanceof Uint8Array) return { bytes: body, type: null }
  if (body instanceof FormData) {
    const response = new Response(body)
    return {
      bytes: new Uint8Array(await response.arrayBuffer()),
      type: response.headers.get('content-type'),
    }
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { bytes: new TextEncoder().encode(text), type: 'application/json' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
