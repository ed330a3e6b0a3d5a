import { ApiError } from '../errors'
import type { Log } from '../log'
import { utf8 } from '../platform/crypto/bytes'
import type { Progress } from './draw-graph'

/**
 * Server-sent events of a drawing: `progress {stage, done, total}` as it goes, last `done` with the whole answer or
 * `error {code, detail}`. The work stops with its listener.
 */
export function streamGraph(
  draw: (onProgress: (progress: Progress) => Promise<void>) => Promise<unknown>,
  log: Log,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  let id = 0
  const send = (event: string, data: unknown) => {
    id += 1
    return writer.write(utf8(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
  }
  const run = async () => {
    try {
      await writer.write(utf8(': map\n\n'))
      await send('done', await draw((progress) => send('progress', progress)))
      await writer.close()
    } catch (error) {
      await fail(error)
    }
  }
  const fail = async (error: unknown) => {
    const known = error instanceof ApiError
    if (!known) log.error('graph_failed', error)
    const code = known ? error.code : 'internal'
    const detail = known ? error.detail : 'Internal Server Error'
    // A listener that left takes neither the event nor the end.
    await send('error', { code, detail })
      .then(() => writer.close())
      .catch(() => undefined)
  }
  void run()
  return readable
}
