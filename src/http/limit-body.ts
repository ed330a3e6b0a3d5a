import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { AppEnv } from '../context'
import { ApiError, tooLarge } from '../errors'

/**
 * Refuses a body of more than `maxSize` bytes. One that states no length is read for that.
 * @throws ApiError 413 when it is larger; 400 when it breaks off while it is read.
 */
export function limitBody(maxSize: number): MiddlewareHandler<AppEnv> {
  const limit = bodyLimit({
    maxSize,
    onError: () => {
      throw tooLarge()
    },
  })
  return async (c, next) => {
    let isRead = false
    try {
      return await limit(c, () => {
        isRead = true
        return next()
      })
    } catch (error) {
      throw isRead || error instanceof ApiError ? error : unreadable(error)
    }
  }
}

/** The whole body. @throws ApiError 400 when it breaks off or cannot be unpacked. */
export const readBody = (c: Context<AppEnv>): Promise<ArrayBuffer> =>
  c.req.arrayBuffer().catch((error: unknown) => {
    throw unreadable(error)
  })

const unreadable = (cause: unknown) =>
  new ApiError('bad_request', 'The request body cannot be read', { cause })
