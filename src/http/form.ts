import type { MiddlewareHandler } from 'hono'
import { BODY_LIMITS } from '../config/limits'
import type { AppEnv } from '../context'
import { ApiError, invalid, tooLarge } from '../errors'
import { readMultipart } from './multipart'

const FORM = /^multipart\/form-data\s*;/i

/** Reads the multipart form; what it carries is taken by `formFile`. @throws ApiError 422. */
export const readForm: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!FORM.test(c.req.header('content-type') ?? '')) throw missingFile()
  try {
    c.set('form', await readMultipart(c.req))
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

export interface UploadedFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Every file of a form's `file`, in its order. @throws ApiError 413, 422. */
export async function formFiles(form: FormData): Promise<UploadedFile[]> {
  const files = await Promise.all(
    form.getAll('file').map(async (file) => {
      if (!(file instanceof File)) throw badFile('every file is sent as a file')
      // So is a quote in a name written, by browsers, curl and undici alike.
      const name = file.name.replaceAll('%22', '"')
      return { name, bytes: new Uint8Array(await file.arrayBuffer()) }
    }),
  )
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > BODY_LIMITS.files) throw tooLarge()
  return files
}

/** The one file of a route that takes no more. */
export async function formFile(form: FormData): Promise<UploadedFile> {
  const [file, ...more] = await formFiles(form)
  if (!file) throw missingFile()
  if (more.length > 0) throw badFile('one file at a time')
  return file
}

const badFile = (problem: string) => invalid(['body', 'file'], problem)
