import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart

/** Parts of an answer, as many at a time as there are. */
export interface PartBatches {
  /** Null at the end. */
  next(): Promise<readonly Part[] | null>
  cancel(reason?: unknown): Promise<void>
}

interface BatchedAnswer extends LanguageModelV4StreamResult {
  readonly batches: PartBatches
}

/**
 * The answer that the provider interface wants. Its stream is made for whoever asks for it, as one that nobody reads still
 * costs every turn. Whoever takes the batches reads them instead, not as well.
 */
export const answerOf = (batches: PartBatches): BatchedAnswer => ({
  batches,
  get stream() {
    return new ReadableStream<Part>(
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
  },
})

/** The parts of any answer; of our own without the stream, which costs more for each part than reading the part does. */
export function batchesOf(answer: LanguageModelV4StreamResult | BatchedAnswer): PartBatches {
  if ('batches' in answer) return answer.batches
  const reader = answer.stream.getReader()
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
  answer: LanguageModelV4StreamResult,
  onLast = () => {},
): AsyncGenerator<Part> {
  const batches = batchesOf(answer)
  try {
    for (let parts = await batches.next(); parts !== null; parts = await batches.next()) {
      if (parts.at(-1)?.type === 'finish') onLast()
      for (const part of parts) yield part
    }
  } finally {
    batches.cancel().catch(() => undefined)
  }
}
