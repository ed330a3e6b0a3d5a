import { HOUR_MS } from '../../../src/config/limits'
import { createLog } from '../../../src/log'
import type { SpaceCaller, TurnRefusal } from '../../../src/spaces/caller'
import { CLOSE_CODES, encodeMeEvent, type MeEvent } from '../../../src/streams/events'
import { EVENT_KEPT_MS, type EventRow, type EventStore } from './event-store'
import type { SpaceCore } from './space-core'
import type { SpaceKeys } from './space-keys'

const SOCKET_TAG = 'stream'
/** How exactly it is known when somebody last listened. */
const HEARD_STEP_MS = HOUR_MS

/** What the Worker says when it opens a socket for one of its clients. */
export interface StreamOpening {
  caller: SpaceCaller
  /** The last event that the client has seen, null for a client that comes without one. */
  lastEventId: number | null
}

/** Sealed, and not yet stored. */
export interface PreparedEvent {
  event: MeEvent
  ref: string
  sealed: string
}

export interface StoredEvent {
  id: number
  event: MeEvent
}

/**
 * The events of a space and whoever listens to them. An event gets its id as it is stored, and is sent after that in the
 * same step, so that ids rise for every listener. Sockets hibernate: nothing here keeps the object awake.
 */
export class LiveEvents {
  readonly #core: SpaceCore
  readonly #ctx: DurableObjectState
  /** When somebody last listened, as the table says; null until it was read. */
  #heardAt: number | null = null

  constructor(core: SpaceCore, ctx: DurableObjectState) {
    this.#core = core
    this.#ctx = ctx
  }

  get #store(): EventStore {
    return this.#core.stores.events
  }

  /** Whether a stream is open at the moment. */
  get hasListeners(): boolean {
    return this.#sockets().length > 0
  }

  async prepare(keys: SpaceKeys, event: MeEvent): Promise<PreparedEvent> {
    const ref = this.#core.mint(Date.now())
    return { event, ref, sealed: await keys.seal('events', 'body', ref, JSON.stringify(event)) }
  }

  /** To be called inside the transaction of what the event tells of. */
  store({ event, ref, sealed }: PreparedEvent, now: number): StoredEvent {
    return { id: this.#store.add(event.type, ref, sealed, now), event }
  }

  /** To be called right after the transaction that stored them. The platform holds what is sent back until it is durable. */
  send(stored: readonly StoredEvent[]): void {
    if (stored.length === 0) return
    const text = stored.map(({ id, event }) => encodeMeEvent(id, event)).join('')
    for (const socket of this.#sockets()) sendTo(socket, text)
  }

  /** Stores and sends an event that stands for nothing but itself. */
  async publish(event: MeEvent): Promise<void> {
    const keys = await this.#core.keys()
    if (!keys) return
    const prepared = await this.prepare(keys, event)
    this.send([this.#core.storage.transactionSync(() => this.store(prepared, Date.now()))])
  }

  /** As `publish`, for events that only say what to read again: not even stored where nobody listened for a day. */
  hint(event: MeEvent): void {
    if (!this.#mayBeHeard(Date.now())) return
    this.publish(event).catch((error: unknown) => {
      createLog('user-space').error('hint_not_published', error, { type: event.type })
    })
  }

  #mayBeHeard(now: number): boolean {
    return this.hasListeners || this.#lastHeard() > now - EVENT_KEPT_MS
  }

  #lastHeard(): number {
    this.#heardAt ??= Number(this.#core.stores.facts.get('stream_at') ?? 0)
    return this.#heardAt
  }

  #noteListener(now: number): void {
    if (this.#lastHeard() > now - HEARD_STEP_MS) return
    this.#core.stores.facts.set('stream_at', String(now))
    this.#heardAt = now
  }

  /** Opens a socket: `hello`, what was missed, then what comes. A refusal is JSON. */
  async accept({ caller, lastEventId }: StreamOpening): Promise<Response> {
    const visit = await this.#core.as(caller, 'write')
    if (!visit.ok) return refuse(visit.refusal)
    const { keys } = visit.value
    const now = Date.now()
    this.#store.purge(now)
    const unheard = lastEventId === null ? this.#store.unheard(now) : []
    const start = lastEventId === null ? this.#startOf(unheard) : this.#clamp(lastEventId)
    let position = lastEventId === null ? this.#store.lastId() : start
    const missed = await this.#open(keys, unheard)
    // Rows may be added while others are being opened; the last look and the opening of the socket are one step.
    for (;;) {
      const rows = this.#store.after(position, now)
      if (rows.length === 0) break
      missed.push(...(await this.#open(keys, rows)))
      position = rows.at(-1)?.id ?? position
    }
    const { 0: client, 1: server } = new WebSocketPair()
    this.#ctx.acceptWebSocket(server, [SOCKET_TAG])
    server.serializeAttachment(caller.tokenVersion)
    const hello = encodeMeEvent(start, { type: 'hello', space_id: caller.address.spaceId })
    sendTo(server, hello + missed.join(''))
    if (lastEventId !== null && lastEventId === start) this.#store.markHeard(lastEventId)
    this.#noteListener(now)
    return new Response(null, { status: 101, webSocket: client })
  }

  /** The Worker says up to which event its client has heard: told, and still there a ping later. */
  heard(message: string | ArrayBuffer): void {
    const id = Number(message)
    if (!this.#core.isGone && Number.isSafeInteger(id)) this.#store.markHeard(id)
  }

  async #open(keys: SpaceKeys, rows: readonly EventRow[]): Promise<string[]> {
    const frames = await Promise.all(
      rows.map(async (row) => {
        const body = await keys.read('events', 'body', row.ref, row.body_sealed)
        return body === null ? [] : [encodeMeEvent(row.id, JSON.parse(body) as MeEvent)]
      }),
    )
    return frames.flat()
  }

  /** A position before the given rows, else the present one. */
  #startOf(rows: readonly EventRow[]): number {
    const first = rows[0]
    return first ? first.id - 1 : this.#store.lastId()
  }

  /** An id of another space may be ahead of this one's. */
  #clamp(id: number): number {
    return Math.min(id, this.#store.lastId())
  }

  /** Ends the streams that stand on a token older than the version; all of them without one. */
  end(reason: keyof typeof CLOSE_CODES, olderThan: number | null = null): void {
    for (const socket of this.#sockets()) {
      const version = socket.deserializeAttachment() as number | null
      const stays = olderThan !== null && (version === null || version >= olderThan)
      if (!stays) closeSocket(socket, CLOSE_CODES[reason])
    }
  }

  /** The Worker has let go of a stream. */
  closed(socket: WebSocket): void {
    closeSocket(socket, 1000)
    if (!this.#core.isGone) this.#noteListener(Date.now())
  }

  #sockets(): WebSocket[] {
    return this.#ctx
      .getWebSockets(SOCKET_TAG)
      .filter((socket) => socket.readyState === WebSocket.READY_STATE_OPEN)
  }
}

const refuse = (refusal: TurnRefusal) => Response.json(refusal, { status: 403 })

/** A socket that can no longer be sent to is one whose client will ask again from its last event. */
function sendTo(socket: WebSocket, text: string): void {
  try {
    socket.send(text)
  } catch {
    closeSocket(socket, 1011)
  }
}

function closeSocket(socket: WebSocket, code: number): void {
  try {
    socket.close(code)
  } catch {
    // It was closed already.
  }
}
