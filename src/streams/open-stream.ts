import { OUTAGE_RETRY_S, SECOND_MS, STREAMS } from '../config/limits'
import type { UserContext } from '../context'
import { ApiError, rateLimited, unavailable } from '../errors'
import { utf8 } from '../platform/crypto/bytes'
import { tenantMeter, userSpace } from '../platform/stubs'
import type { TurnRefusal } from '../spaces/caller'
import { callerOf, refusalError } from '../spaces/caller'
import { PING } from '../wire/sse'
import { dropStream, holdStream, whyEnd } from './authority'
import { CLOSE_CODES, encodeStreamEnd, lastLastingId, type StreamEnd } from './events'

/**
 * The pushes of one user and space as server-sent events. The Worker holds a socket to the object, which may sleep, and
 * pings by itself. Twice per ping period it looks whether token, key and tenant still stand.
 * @param lastEventId the last event that the client has seen, null when it comes without one.
 * @throws ApiError for the refusals of the contract; 429 for more streams than a user may hold.
 */
export async function openStream(
  ctx: UserContext,
  lastEventId: number | null,
): Promise<ReadableStream<Uint8Array>> {
  const { env, tenant, user, config } = ctx
  const streamId = crypto.randomUUID()
  const leaseMs = 2 * config.streamPingMs
  const meter = () => tenantMeter(env, tenant.id)
  const isFree = await meter().openStream(user.id, streamId, config.streamsPerUser, leaseMs)
  if (!isFree) throw rateLimited(config.streamPingMs / SECOND_MS)
  let socket: WebSocket
  try {
    socket = await openSocket(ctx, lastEventId)
  } catch (error) {
    await meter().closeStream(user.id, streamId)
    throw error
  }
  holdStream(tenant.id, streamId, { userId: user.id, keyId: ctx.actor.keyId }, ctx.now)

  let timer: ReturnType<typeof setInterval> | undefined
  let isOver = false
  const letGo = () => {
    if (isOver) return
    isOver = true
    clearInterval(timer)
    dropStream(tenant.id, streamId)
    try {
      socket.close(1000)
    } catch {
      // The object closed it first.
    }
    ctx.waitUntil(meter().closeStream(user.id, streamId))
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const say = (text: string) => {
          if (isOver) return
          // Whoever reads too slowly is cut off and goes on from its last event.
          if ((controller.desiredSize ?? 0) <= 0) return end(null)
          try {
            controller.enqueue(utf8(text))
          } catch {
            letGo()
          }
        }
        const end = (reason: StreamEnd | null) => {
          if (isOver) return
          if (reason) say(encodeStreamEnd(reason))
          letGo()
          try {
            controller.close()
          } catch {
            // The client left first.
          }
        }
        let told = 0
        let lived = 0
        socket.addEventListener('message', ({ data }) => {
          if (typeof data !== 'string') return
          say(data)
          told = lastLastingId(data) ?? told
        })
        /** Heard is what was told before the last ping to a client that has read all since. */
        const acknowledge = () => {
          if (isOver || (controller.desiredSize ?? 0) < STREAMS.backlog) return
          if (lived > 0) socket.send(String(lived))
          lived = told
          told = 0
        }
        socket.addEventListener('close', ({ code }) => end(reasonOf(code)))
        socket.addEventListener('error', () => end(null))
        let ticks = 0
        const half = config.streamPingMs / 2
        timer = setInterval(async () => {
          ticks += 1
          if (ticks % 2 === 0) {
            acknowledge()
            say(PING)
          }
          if (user.tokenExpiresAt !== null && user.tokenExpiresAt <= Date.now()) return end('token')
          const reason = await whyEnd(env, tenant.id, streamId, half, leaseMs).catch(
            (error: unknown) => {
              ctx.log.error('stream_not_checked', error)
              return null
            },
          )
          if (reason) end(reason)
        }, half)
        say(PING)
        socket.accept()
      },
      cancel: letGo,
    },
    new CountQueuingStrategy({ highWaterMark: STREAMS.backlog }),
  )
}

async function openSocket(ctx: UserContext, lastEventId: number | null): Promise<WebSocket> {
  const caller = callerOf(ctx)
  const response = await userSpace(ctx.env, caller.address).fetch('https://space/stream', {
    headers: { upgrade: 'websocket', 'x-opening': JSON.stringify({ caller, lastEventId }) },
  })
  if (response.webSocket) return response.webSocket
  if (response.status === 403) throw refusalError((await response.json()) as TurnRefusal)
  throw unavailable(
    new ApiError('internal', `The space answered ${response.status}`),
    OUTAGE_RETRY_S,
  )
}

function reasonOf(code: number): StreamEnd | null {
  if (code === CLOSE_CODES.token) return 'token'
  return code === CLOSE_CODES.space ? 'space' : null
}
