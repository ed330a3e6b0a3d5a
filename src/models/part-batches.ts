import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart

/** Parts of an answer, as many at a time as there are. */
export interface PartBatches {
  /** Null at the end. */
  next(): Promise<readonly Part[] | null>
  cancel(reason?: unknown): Promise<void>
}

const behind = new WeakMap<ReadableStream<Part>, PartBatches>()

/** The stream that the provider interface wants. Whoever takes the batches behind it reads them instead, not as well. */
export function streamOf(batches: PartBatches): ReadableStream<Part> {
  const stream = new ReadableStream<Part>(
    {
      async pull(controller) {
        const parts = await batches.next()
        if (parts === null) controller.close()
        else for (const part of parts) controller.enqueue(part)
      },
      cancel: (reason) => batches.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  behind.set(stream, batches)
  return stream
}

/** The parts of any stream; of our own without the stream, which costs more for each part than reading the part does. */
export function batchesOf(stream: ReadableStream<Part>): PartBatches {
  const known = behind.get(stream)
  if (known) return known
  const reader = stream.getReader()
  return {
    next: async () => {
      const { done, value } = await reader.read()
      return done ? null : [value]
    },
    cancel: (reason) => reader.cancel(reason),
  }
}

/**
 * Part by part; whoever stops listening ends the call behind them.
 * @param onLast called once the last words have come, before they are given
 */
export async function* partsOf(
  stream: ReadableStream<Part>,
  onLast = () => {},
): AsyncGenerator<Part> {
  const batches = batchesOf(stream)
  try {
    for (let parts = await batches.next(); parts !== null; parts = await batches.next()) {
      if (parts.at(-1)?.type === 'finish') onLast()
      for (const part of parts) yield part
    }
  } finally {
    batches.cancel().catch(() => undefined)
  }
}
