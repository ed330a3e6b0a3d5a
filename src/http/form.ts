import type { MiddlewareHandler } from 'hono'
import { ApiError } from '../errors'
import type { AppEnv } from './context'

const FORM = /^multipart\/form-data\s*;/i

/** Reads the multipart form; what it carries is taken by `formFile`. @throws ApiError 422. */
export const readForm: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!FORM.test(c.req.header('content-type') ?? '')) throw missingFile()
  try {
    c.set('form', await c.req.formData())
  } catch {
    throw new ApiError('validation', [
      { type: 'value_error', loc: ['body'], msg: 'Value error, the multipart form cannot be read' },
    ])
  }
  if (!(c.get('form').get('file') instanceof File)) throw missingFile()
  await next()
}

const missingFile = () =>
  new ApiError('validation', [{ type: 'missing', loc: ['body', 'file'], msg: 'Field required' }])

/** The uploaded file of a route with `multipart`. */
export async function formFile(
  form: FormData,
): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  const file = form.get('file')
  if (!(file instanceof File)) throw missingFile()
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
}
