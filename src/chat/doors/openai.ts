import { LIMITS } from '../../config/limits'
import type { TenantContext } from '../../context'
import type { AgentRow } from '../../db/tables/agents'
import { invalid } from '../../errors'
import { hasSpeech } from '../../models/speech-model'
import { timeOf } from '../../platform/ids'
import { serverError } from '../../wire/openai-error'
import type { Frame } from '../../wire/sse'
import type { ChatResponse } from '../events'
import type { SentImages } from '../media'
import { type CompletionRequest, messageText } from '../schema'

export interface CompletionDraft {
  message: string
  images: SentImages
  history: { role: 'user' | 'assistant'; content: string }[]
}

/** The last user message is the turn, what comes before it the history; system messages are the tenant's business and are not taken. */
export function readCompletion(body: CompletionRequest): CompletionDraft {
  if ((body.tools?.length ?? 0) > 0 || (body.functions?.length ?? 0) > 0)
    throw invalid(['body', 'tools'], 'tools are configured on the agent, not sent by the client')
  if (body.n != null && body.n !== 1) throw invalid(['body', 'n'], 'only n = 1 is supported')
  if (body.response_format != null && body.response_format.type !== 'text')
    throw invalid(['body', 'response_format', 'type'], 'only text is supported')
  if (body.logprobs === true || (body.top_logprobs ?? 0) > 0)
    throw invalid(
      ['body', body.logprobs === true ? 'logprobs' : 'top_logprobs'],
      'probabilities of tokens are not told',
    )
  if (body.modalities?.some((one) => one !== 'text'))
    throw invalid(['body', 'modalities'], 'only text is supported')
  const lastIndex = body.messages.findLastIndex((message) => message.role === 'user')
  const last = body.messages[lastIndex]
  if (!last) throw invalid(['body', 'messages'], 'at least one user message is needed')
  const loc = ['body', 'messages', lastIndex, 'content']
  requireReadable(last.content, loc)
  const text = textOf(last.content)
  const history = body.messages.slice(0, lastIndex).flatMap((message) => {
    if (message.role !== 'user' && message.role !== 'assistant') return []
    const content = textOf(message.content)
    return content === '' ? [] : [{ role: message.role, content }]
  })
  if (!messageText.safeParse(text).success)
    throw invalid(
      loc,
      `String should have at most ${LIMITS.messageLength} characters`,
      'string_too_long',
    )
  const images = imagesOf(last.content)
  return { message: text, images: { loc, images }, history: history.slice(-100) }
}

/** An empty one, which some clients send for none, would end every reply before its beginning. */
export const readStop = (stop: CompletionRequest['stop']): string[] =>
  (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((one) => one !== '')

/** A file, a recording or an image that nobody reads would be answered as if it had not been sent. */
function requireReadable(content: Content, loc: (string | number)[]): void {
  if (!Array.isArray(content)) return
  for (const [at, { type, image_url }] of content.entries()) {
    if (type !== 'text' && type !== 'image_url')
      throw invalid(
        [...loc, at, 'type'],
        'parts are text or image_url; documents belong into a knowledge base',
      )
    if (type === 'image_url' && !image_url)
      throw invalid([...loc, at, 'image_url'], 'Field required', 'missing')
  }
}

type Content = CompletionRequest['messages'][number]['content']

function textOf(content: Content): string {
  if (!Array.isArray(content)) return content ?? ''
  return content
    .flatMap((part) => (part.type === 'text' && part.text ? [part.text] : []))
    .join('\n')
}

function imagesOf(content: Content): SentImages['images'] {
  if (!Array.isArray(content)) return []
  return content.flatMap(({ image_url }, at) => {
    if (!image_url) return []
    return [{ url: typeof image_url === 'string' ? image_url : image_url.url, at }]
  })
}

const FINISH: Record<string, string> = { length: 'length', guard: 'content_filter' }
const finishReason = (response: ChatResponse): string => FINISH[response.finish_reason] ?? 'stop'
/** When the turn began: a repeat of it says the same. */
const createdAt = (messageId: string): number => Math.floor(timeOf(messageId) / 1000)

function usageOf({ usage }: ChatResponse) {
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    total_tokens: usage.input_tokens + usage.output_tokens,
  }
}

export function presentModel(agent: AgentRow, { tenant, env }: TenantContext) {
  return {
    id: agent.name,
    object: 'model' as const,
    created: Math.floor(agent.createdAt / 1000),
    owned_by: tenant.name,
    tts: hasSpeech(env),
  }
}

export function presentCompletion(response: ChatResponse) {
  return {
    id: `chatcmpl-${response.message_id}`,
    object: 'chat.completion' as const,
    created: createdAt(response.message_id),
    model: response.agent,
    choices: [
      {
        index: 0,
        message: { role: 'assistant' as const, content: response.reply, refusal: null },
        finish_reason: finishReason(response),
        logprobs: null,
      },
    ],
    usage: usageOf(response),
    metadata: { session_id: response.session_id, message_id: response.message_id },
    sources: response.sources,
  }
}

/** Our frames as chat.completion.chunk events, ended by `[DONE]`. */
export function toCompletionChunks(includeUsage: boolean): TransformStream<Frame, string> {
  let base: Record<string, unknown> = {}
  const send = (controller: TransformStreamDefaultController<string>, value: unknown) =>
    controller.enqueue(`data: ${JSON.stringify(value)}\n\n`)
  return new TransformStream({
    transform({ event, data }, controller) {
      if (event === 'session') {
        const session = data as { session_id: string; message_id: string; agent: string }
        base = {
          id: `chatcmpl-${session.message_id}`,
          object: 'chat.completion.chunk',
          created: createdAt(session.message_id),
          model: session.agent,
          metadata: { session_id: session.session_id, message_id: session.message_id },
          ...(includeUsage ? { usage: null } : {}),
        }
        send(controller, {
          ...base,
          choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
        })
      } else if (event === 'token') {
        send(controller, {
          ...base,
          choices: [
            { index: 0, delta: { content: (data as { text: string }).text }, finish_reason: null },
          ],
        })
      } else if (event === 'done') {
        const response = data as ChatResponse
        send(controller, {
          ...base,
          choices: [{ index: 0, delta: {}, finish_reason: finishReason(response) }],
          sources: response.sources,
        })
        if (includeUsage) send(controller, { ...base, choices: [], usage: usageOf(response) })
        controller.enqueue('data: [DONE]\n\n')
      } else if (event === 'error') {
        const { detail, code } = data as { detail: string; code: string }
        send(controller, { detail, error: serverError(detail, code) })
        controller.enqueue('data: [DONE]\n\n')
      }
    },
  })
}
