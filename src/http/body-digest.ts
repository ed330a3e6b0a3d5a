import type { Context } from 'hono'
import type { AppEnv } from '../context'
import { concatBytes, sha256, toHex, utf8 } from '../platform/crypto/bytes'
import { readBody } from './limit-body'
import { readMultipart } from './multipart'

const FORM = /^multipart\/form-data\s*;/i

/**
 * SHA-256 of what a request carries: its query and its body. Of a multipart form the fields count, not how they are
 * packed: a client that sends the same file again draws another boundary.
 */
export async function digestBody(c: Context<AppEnv>): Promise<string> {
  const query = utf8(`${new URL(c.req.url).search}\n`)
  const isForm = FORM.test(c.req.header('content-type') ?? '')
  const body = isForm ? await digestForm(c) : new Uint8Array(await readBody(c))
  return toHex(await sha256(concatBytes(query, body)))
}

async function digestForm(c: Context<AppEnv>) {
  // What cannot be read is refused by whoever reads it for good.
  const form = await readMultipart(c.req).catch(() => new FormData())
  const parts = await Promise.all(
    [...form].map(async ([name, value]) => {
      if (typeof value === 'string') return [name, value]
      return [name, value.name, value.type, toHex(await sha256(await bytesOf(value)))]
    }),
  )
  return utf8(JSON.stringify(parts))
}

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer())
