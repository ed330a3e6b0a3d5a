import { EventSourceParserStream } from 'eventsource-parser/stream'
import { invalid } from '../errors'

/** Headers of every event stream (contract section 6). */
export const SSE_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const

export interface Frame {
  event: string
  data: unknown
}

/** The frames of a turn's stream, for doors that speak another protocol. */
export function readFrames(stream: ReadableStream<Uint8Array>): ReadableStream<Frame> {
  return stream
    .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .pipeThrough(
      new TransformStream({
        transform(message, controller) {
          if (message.event)
            controller.enqueue({ event: message.event, data: JSON.parse(message.data) as unknown })
        },
      }),
    )
}

/** Encodes texts as they come. */
export function encodeTexts(texts: ReadableStream<string>): ReadableStream<Uint8Array> {
  return texts.pipeThrough(
    new TextEncoderStream() as unknown as ReadableWritablePair<Uint8Array, string>,
  )
}

/** @returns null without the header. @throws ApiError 422 for anything but a whole number. */
export function readLastEventId(header: string | undefined): number | null {
  if (header === undefined || header === '') return null
  const id = Number(header)
  if (!Number.isSafeInteger(id) || id < 0)
    throw invalid(['header', 'last-event-id'], 'a whole number as sent in `id:`')
  return id
}

/** A comment: keeps the connection alive and means nothing. */
export const PING = ': ping\n\n'

/** Texts of an event stream, with a comment whenever nothing came for a ping's time. */
export function withPings(stream: ReadableStream<string>, pingMs: number): ReadableStream<string> {
  const reader = stream.getReader()
  let pending: ReturnType<typeof reader.read> | null = null
  return new ReadableStream<string>({
    async pull(controller) {
      pending ??= reader.read()
      let timer: ReturnType<typeof setTimeout> | undefined
      const tick = new Promise<'ping'>((resolve) => {
        timer = setTimeout(() => resolve('ping'), pingMs)
      })
      const next = await Promise.race([pending, tick])
      clearTimeout(timer)
      if (next === 'ping') return controller.enqueue(PING)
      pending = null
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
