import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { AppEnv } from '../context'
import { ApiError, tooLarge } from '../errors'

/** Refuses a larger body. One without a length is read whole for that: where it cannot be, its sender is told. */
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

/** The whole body. @throws ApiError 400 where it breaks off: who sent it has gone, or packs it wrongly. */
export const readBody = (c: Context<AppEnv>): Promise<ArrayBuffer> =>
  c.req.arrayBuffer().catch((error: unknown) => {
    throw unreadable(error)
  })

const unreadable = (cause: unknown) =>
  new ApiError('bad_request', 'The request body cannot be read', { cause })
