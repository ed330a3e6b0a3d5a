import { createParser } from 'eventsource-parser'

export interface SseFrame {
  id: number
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and says what it expects of it.
  data: any
}

/** The frames of a whole event stream. */
export function parseSse(text: string): SseFrame[] {
  const frames: SseFrame[] = []
  const parser = createParser({
    onEvent: (message) =>
      frames.push({
        id: Number(message.id ?? -1),
        event: message.event ?? 'message',
        data: readData(message.data),
      }),
  })
  parser.feed(text)
  return frames
}

function readData(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Reads a stream until `enough` says so or it ends, then lets go of it. */
export async function readSse(
  response: Response,
  enough: (frames: SseFrame[]) => boolean = () => false,
): Promise<SseFrame[]> {
  if (!response.body) throw new Error('There is no body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (value) text += value
    const frames = parseSse(text)
    if (done) return frames
    if (enough(frames)) {
      await reader.cancel()
      return frames
    }
  }
}
