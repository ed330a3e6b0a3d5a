import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Loopback, startLoopback } from './loopback'

const TYPES: Record<string, number> = { A: 1, CNAME: 5, TXT: 16 }

export interface DohServer extends Loopback {
  /** Records by name and type, changed by the test as an owner changes a zone. */
  zone: Map<string, { A?: string; CNAME?: string; TXT?: string[] }>
  /** json: both forms that public resolvers speak; wire: RFC 8484 alone; silent: an error for every question. */
  mode: 'json' | 'wire' | 'silent'
  resolver: string
}

/** A resolver on loopback that answers over HTTPS's two forms from a zone of the test's own. */
export async function startDoh(): Promise<DohServer> {
  const zone: DohServer['zone'] = new Map()
  const loopback = await startLoopback((request, response) => answer(doh, request, response))
  const doh: DohServer = Object.assign(loopback, {
    zone,
    mode: 'json' as const,
    resolver: `${loopback.origin}/dns-query`,
  })
  return doh
}

function answer(doh: DohServer, request: IncomingMessage, response: ServerResponse): void {
  const query = new URL(request.url ?? '', 'http://x').searchParams
  const name = query.get('name')
  const packed = query.get('dns')
  if (doh.mode === 'silent') {
    response.writeHead(503).end()
  } else if (doh.mode === 'json' && name !== null) {
    const type = query.get('type') ?? ''
    const written: Record<string, (text: string) => string> = {
      TXT: (text) => `"${text}"`,
      CNAME: (name) => `${name}.`,
    }
    const data = recordsOf(doh, name, type).map(written[type] ?? String)
    const Answer = data.map((text) => ({ name, type: TYPES[type], TTL: 60, data: text }))
    response.writeHead(200, { 'content-type': 'application/dns-json' })
    response.end(JSON.stringify({ Status: doh.zone.has(name) ? 0 : 3, Answer }))
  } else if (packed !== null) {
    response.writeHead(200, { 'content-type': 'application/dns-message' })
    response.end(answerWire(doh, Buffer.from(packed, 'base64url')))
  } else {
    response.writeHead(400).end('no query')
  }
}

function recordsOf(doh: DohServer, name: string, type: string): string[] {
  const entry = doh.zone.get(name.toLowerCase())
  if (type === 'TXT') return entry?.TXT ?? []
  const record = type === 'A' ? entry?.A : type === 'CNAME' ? entry?.CNAME : undefined
  return record === undefined ? [] : [record]
}

function packRecord(type: string, text: string): Buffer {
  if (type === 'A') return Buffer.from(text.split('.').map(Number))
  if (type === 'TXT') return Buffer.concat([Buffer.of(text.length), Buffer.from(text, 'latin1')])
  const labels = text.split('.').map((l) => Buffer.concat([Buffer.of(l.length), Buffer.from(l)]))
  return Buffer.concat([...labels, Buffer.of(0)])
}

function answerWire(doh: DohServer, query: Buffer): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const number = query.readUInt16BE(at + 1)
  const type = Object.keys(TYPES).find((name) => TYPES[name] === number) ?? ''
  const found = recordsOf(doh, labels.join('.'), type).map((text) => {
    const data = packRecord(type, text)
    const head = Buffer.from('c00c000000010000003c0000', 'hex')
    head.writeUInt16BE(number, 2)
    head.writeUInt16BE(data.length, 10)
    return Buffer.concat([head, data])
  })
  const head = Buffer.from('000081800001000000000000', 'hex')
  head.writeUInt16BE(found.length, 6)
  return Buffer.concat([head, query.subarray(12), ...found])
}
