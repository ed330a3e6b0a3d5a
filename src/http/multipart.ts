import { Buffer } from 'node:buffer'
import type { HonoRequest } from 'hono'
import { FORM_PARTS } from '../config/limits'

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i
const BLANK_LINE = '\r\n\r\n'
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"'
/** A quote that is never closed goes to the end: looked for from each further one, it would take the square of the time. */
const TO_ITS_END = '"(?:[^"\\\\]|\\\\[^])*(?:"|\\\\?$)'
const UNQUOTED_NAME = new RegExp(`${TO_ITS_END}|(;\\s*(?:file)?name=)([^";\\s][^";\\r\\n]*)`, 'gi')
const EXTENDED_NAME = /;[ \t]*filename\*=utf-8'[^']*'([^;\s]+)/i
const FILE_NAME = new RegExp(`;\\s*filename=${QUOTED}`, 'i')

const forms = new WeakMap<HonoRequest, Promise<FormData>>()

/**
 * The multipart form of a request. .NET leaves names unquoted, or packs other letters as mails do, and older Python names a
 * file in `filename*` alone, none of which the runtime reads: where it finds no file or such a name, the parts are named in
 * the usual way first. @throws Error for no form, and for one of too many parts
 */
export function readMultipart(request: HonoRequest): Promise<FormData> {
  const form = forms.get(request) ?? parseForm(request)
  forms.set(request, form)
  return form
}

async function parseForm(request: HonoRequest): Promise<FormData> {
  const type = request.header('content-type') ?? ''
  const parse = (body: BodyInit) =>
    new Response(body, { headers: { 'content-type': type } }).formData()
  const bytes = await request.arrayBuffer()
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary !== undefined) requireFewParts(Buffer.from(bytes), boundary)
  const asSent = parse(bytes)
  const found = await asSent.then((form) => isNamed(form.get('file'))).catch(() => false)
  return found || boundary === undefined ? asSent : parse(renameParts(Buffer.from(bytes), boundary))
}

const isNamed = (file: unknown): boolean => file instanceof File && !file.name.startsWith('=?')

function requireFewParts(bytes: Buffer, boundary: string): void {
  let parts = 0
  for (let at = 0; at >= 0; at = bytes.indexOf(`\r\n--${boundary}`, at + 1))
    if (++parts > FORM_PARTS + 1) throw new RangeError('Too many parts')
}

function renameParts(bytes: Buffer<ArrayBuffer>, boundary: string): Blob {
  const pieces: (string | Uint8Array<ArrayBuffer>)[] = []
  let done = 0
  for (let at = bytes.indexOf(`--${boundary}`); at >= 0; ) {
    const end = bytes.indexOf(BLANK_LINE, at)
    if (end < 0) break
    pieces.push(bytes.subarray(done, at), renamePart(bytes.toString('utf8', at, end)))
    done = end
    at = bytes.indexOf(`\r\n--${boundary}`, end)
  }
  return new Blob([...pieces, bytes.subarray(done)])
}

/** The lines before a part, with the names in quotes and the file's own name as `filename`. */
function renamePart(head: string): string {
  const named = head.replace(UNQUOTED_NAME, (all, start?: string, name?: string) =>
    start === undefined || name === undefined ? all : `${start}"${name.trim()}"`,
  )
  const [extended, encoded] = EXTENDED_NAME.exec(named) ?? []
  if (extended === undefined || encoded === undefined) return named
  try {
    const name = decodeURIComponent(encoded).replace(/["\\\r\n]/g, '_')
    return named.replace(FILE_NAME, '').replace(extended, () => `; filename="${name}"`)
  } catch {
    return named
  }
}
