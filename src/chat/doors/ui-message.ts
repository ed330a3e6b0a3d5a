import type { Frame } from '../../wire/sse'
import type { ChatResponse, Source } from '../events'

/** Header that tells the AI SDK's client which protocol follows. */
export const UI_STREAM_HEADER = { 'x-vercel-ai-ui-message-stream': 'v1' } as const

/** What stands below an answer and stays with it; other data is news of the moment, which clients hear and do not keep. */
const KEPT: readonly string[] = ['clarify', 'form', 'cta', 'suggestions', 'storyline']

const chunk = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** Turns our frames into the AI SDK's UI message stream (protocol version 1), so that `useChat` works as it is. */
export function toUiMessages(): TransformStream<Frame, string> {
  let messageId = ''
  let open: 'text' | 'reasoning' | null = null
  const close = (controller: TransformStreamDefaultController<string>) => {
    if (open) controller.enqueue(chunk({ type: `${open}-end`, id: `${messageId}-${open}` }))
    open = null
  }
  const write = (
    controller: TransformStreamDefaultController<string>,
    kind: 'text' | 'reasoning',
    delta: string,
  ) => {
    if (open !== kind) {
      close(controller)
      controller.enqueue(chunk({ type: `${kind}-start`, id: `${messageId}-${kind}` }))
      open = kind
    }
    controller.enqueue(chunk({ type: `${kind}-delta`, id: `${messageId}-${kind}`, delta }))
  }
  return new TransformStream({
    transform({ event, data }, controller) {
      switch (event) {
        case 'session': {
          const session = data as { session_id: string; message_id: string; agent: string }
          messageId = session.message_id
          controller.enqueue(
            chunk({
              type: 'start',
              messageId,
              messageMetadata: { session_id: session.session_id, agent: session.agent },
            }),
          )
          controller.enqueue(chunk({ type: 'start-step' }))
          break
        }
        case 'token':
          write(controller, 'text', (data as { text: string }).text)
          break
        case 'reasoning':
          write(controller, 'reasoning', (data as { text: string }).text)
          break
        case 'replace': {
          // What a part of the text said stays in it for this protocol: what replaces it is another part.
          const { text } = data as { text: string }
          close(controller)
          controller.enqueue(chunk({ type: 'data-replace', data, transient: true }))
          if (text !== '') write(controller, 'text', text)
          break
        }
        case 'sources':
          close(controller)
          for (const source of (data as { sources: Source[] }).sources)
            controller.enqueue(chunk(sourcePart(source)))
          break
        case 'done': {
          close(controller)
          const { finish_reason, usage, session_id, closest } = data as ChatResponse
          controller.enqueue(chunk({ type: 'finish-step' }))
          controller.enqueue(
            chunk({
              type: 'finish',
              messageMetadata: { session_id, finish_reason, usage, closest },
            }),
          )
          controller.enqueue('data: [DONE]\n\n')
          break
        }
        case 'error':
          close(controller)
          controller.enqueue(
            chunk({ type: 'error', errorText: (data as { detail: string }).detail }),
          )
          controller.enqueue('data: [DONE]\n\n')
          break
        default:
          controller.enqueue(
            chunk({
              type: `data-${event}`,
              data,
              ...(KEPT.includes(event) ? {} : { transient: true }),
            }),
          )
      }
    },
  })
}

function sourcePart(source: Source) {
  const { n, quote, page } = source
  const sourceId = source.chunk_id ?? source.document_id
  const providerMetadata = { parley: { n, quote, page } }
  return source.url
    ? { type: 'source-url', sourceId, url: source.url, title: source.title, providerMetadata }
    : {
        type: 'source-document',
        sourceId,
        mediaType: 'text/plain',
        title: source.title ?? source.document_id,
        providerMetadata,
      }
}
