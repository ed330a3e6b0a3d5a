import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { STREAM_PACE_MS } from '../config/limits'
import { SENTENCE_ENDS } from '../text/sentences'
import type { PartBatches } from './part-batches'
import { type LoneEnd, ThinkParts } from './think-tags'

type Part = LanguageModelV4StreamPart
type Delta = Extract<Part, { type: 'text-delta' | 'reasoning-delta' }>

/** What a sentence or a line may end with, looked for in so many last characters. */
const MAY_END = new RegExp(`[${SENTENCE_ENDS}\\n]["'”’»)\\]]*\\s*$`, 'u')
const TAIL = 20

const isDelta = (part: Part): part is Delta =>
  part.type === 'text-delta' || part.type === 'reasoning-delta'

/**
 * The same parts, with text and reasoning joined to at most one piece in `STREAM_PACE_MS`; the first piece goes out at
 * once, so does what follows the first sentence's end, because only then it is known to be one and can be shown, and any other
 * part takes along what was held. Every piece costs a dozen steps from here to the listener, and providers send one for each
 * token. Thinking that the model wrote into its text becomes reasoning. When `signal` fires the stream ends with its reason.
 * @param onPart called whenever parts of the source come @param onEnd called once, however the stream ends
 * @param onLoneEnd called once it is known whether a thought ended in the text that had not begun
 */
export function paceStream(
  batches: PartBatches,
  {
    signal,
    onPart,
    onEnd,
    loneEnd,
    onLoneEnd,
  }: {
    signal: AbortSignal
    onPart(): void
    onEnd(): void
    loneEnd?: LoneEnd
    onLoneEnd?(met: boolean): void
  },
): PartBatches {
  const queue: Part[] = []
  const thinking = new ThinkParts(loneEnd)
  let end: { error?: unknown } | null = null
  let wake = () => {}
  let holdUntil = 0
  /** Of the text that went out. */
  let firstSentence: 'open' | 'may have ended' | 'out' = 'open'

  const finish = (how: { error?: unknown }) => {
    if (end) return
    end = how
    signal.removeEventListener('abort', abort)
    onEnd()
    wake()
  }
  const abort = () => {
    batches.cancel(signal.reason).catch(() => undefined)
    finish({ error: signal.reason })
  }
  const read = async () => {
    try {
      for (let parts = await batches.next(); parts !== null && !end; parts = await batches.next()) {
        onPart()
        for (const part of parts) for (const one of thinking.push(part)) add(queue, one)
        wake()
      }
      if (!end && thinking.metLoneEnd !== null) onLoneEnd?.(thinking.metLoneEnd)
      finish({})
    } catch (error) {
      finish({ error })
    }
  }
  /** Waits for the next part, or until held text may go. */
  const wait = (ms: number | null) =>
    new Promise<void>((resolve) => {
      const timer = ms === null ? null : setTimeout(resolve, ms)
      wake = () => {
        if (timer !== null && !end && queue.length < 2) return
        if (timer !== null) clearTimeout(timer)
        wake = () => {}
        resolve()
      }
    })

  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  void read()
  return {
    async next() {
      for (;;) {
        const [first] = queue
        const mayGo =
          first !== undefined &&
          (!isDelta(first) ||
            queue.length > 1 ||
            end !== null ||
            firstSentence === 'may have ended' ||
            Date.now() >= holdUntil)
        if (mayGo) {
          const parts = queue.splice(0)
          if (parts.some(isDelta)) holdUntil = Date.now() + STREAM_PACE_MS
          const text = parts.findLast((part) => part.type === 'text-delta')
          if (text !== undefined && firstSentence !== 'out') {
            if (firstSentence === 'may have ended') firstSentence = 'out'
            else if (MAY_END.test(text.delta.slice(-TAIL))) firstSentence = 'may have ended'
          }
          return parts
        }
        if (first === undefined && end !== null) {
          if ('error' in end) throw end.error
          return null
        }
        await wait(first === undefined ? null : holdUntil - Date.now())
      }
    },
    cancel(reason) {
      finish({})
      return batches.cancel(reason)
    },
  }
}

/** A delta joins the one before it when both belong to one block. */
function add(queue: Part[], part: Part): void {
  const last = queue.at(-1)
  const joins =
    last !== undefined &&
    isDelta(last) &&
    isDelta(part) &&
    last.type === part.type &&
    last.id === part.id
  if (joins) queue[queue.length - 1] = { ...last, ...part, delta: last.delta + part.delta }
  else queue.push(part)
}
