import {
  APICallError,
  type JSONObject,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
} from '@ai-sdk/provider'
import { ExpiringMap } from '../platform/expiring-map'
import { isFiltered } from './filtered'
import { hasPictures, refusesPictures } from './refused-pictures'
import type { ChatModelInfo, Thinking } from './workers-ai-models'

const REMEMBERED_MS = 60 * 60 * 1000
/** Which way a model has come to obey, by its name: those before it were refused as malformed. */
const obeyed = new ExpiringMap<number>(REMEMBERED_MS)

/** What the request's body says of thinking. */
type Way = JSONObject

const NOTHING: Way = {}
const EFFORT_NONE: Way = { reasoning_effort: 'none' }
const TEMPLATE_OFF: Way = { chat_template_kwargs: { enable_thinking: false } }

/** Ways to ask for an answer without thinking, the best first. A model that refuses one may know the next. */
const OFF: Record<Thinking, readonly Way[]> = {
  never: [NOTHING],
  'effort-none': [EFFORT_NONE, { reasoning_effort: null }, NOTHING],
  template: [TEMPLATE_OFF, NOTHING],
  cannot: [{ reasoning_effort: 'low' }, NOTHING],
  unknown: [EFFORT_NONE, { reasoning_effort: 'low' }, NOTHING],
}

/** And to ask for thinking, where a model does not do so by itself. */
const ON: Record<Thinking, Way> = {
  never: NOTHING,
  'effort-none': { reasoning_effort: 'high' },
  template: { chat_template_kwargs: { enable_thinking: true } },
  cannot: NOTHING,
  unknown: NOTHING,
}

/** Families of open models that servers of one's own serve, whose chat template has the toggle. */
const TEMPLATE_FAMILY = /(?:^|[/-])(?:glm-[45]|qwen-?3)/iu

/**
 * The same model, which thinks only when the call does not ask it not to (`reasoning: 'none'`). How it is told is the
 * model's own matter (`thinking`); where a call is refused as malformed the next way is tried, and what worked is
 * remembered for an hour.
 * @param name what tells this model from every other.
 */
export function steerThinking(
  model: LanguageModelV4,
  info: ChatModelInfo,
  name: string,
): LanguageModelV4 {
  const off = waysOff(info)
  async function attempt<T>(
    options: LanguageModelV4CallOptions,
    call: (options: LanguageModelV4CallOptions) => PromiseLike<T>,
  ): Promise<T> {
    const { reasoning, ...plain } = options
    if (reasoning !== 'none') return call(inWay(plain, info, ON[info.thinking]))
    for (let index = obeyed.get(name, Date.now()) ?? 0; ; index++) {
      try {
        const result = await call(inWay(plain, info, off[index] ?? NOTHING))
        if (index > 0) obeyed.set(name, index, Date.now())
        return result
      } catch (error) {
        if (index >= off.length - 1 || !isMalformed(error)) throw error
        if (hasPictures(options)) {
          if (refusesPictures(error)) throw error
          // The picture is as likely the cause: one call more tells, the plainest.
          return call(inWay(plain, info, off.at(-1) ?? NOTHING))
        }
      }
    }
  }
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => attempt(options, (tried) => model.doGenerate(tried)),
    doStream: (options) => attempt(options, (tried) => model.doStream(tried)),
  }
}

function waysOff({ id, provider, thinking }: ChatModelInfo): readonly Way[] {
  if (provider === 'openai-compatible' && TEMPLATE_FAMILY.test(id))
    return [{ ...EFFORT_NONE, ...TEMPLATE_OFF }, TEMPLATE_OFF, ...OFF.unknown]
  return OFF[thinking]
}

/** Both providers pass options of their own name on into the body; one of them spells the effort its own way. */
function inWay(
  options: LanguageModelV4CallOptions,
  { provider }: ChatModelInfo,
  way: Way,
): LanguageModelV4CallOptions {
  if (way === NOTHING) return options
  const { reasoning_effort, ...rest } = way
  const body =
    provider === 'workers-ai' || reasoning_effort === undefined
      ? way
      : { ...rest, reasoningEffort: reasoning_effort }
  const key = provider === 'workers-ai' ? 'workers-ai' : 'openaiCompatible'
  return { ...options, providerOptions: { ...options.providerOptions, [key]: body } }
}

/** The AI binding's code for inputs that its schema of the model does not allow; the provider gives it no status. */
const BINDING_SCHEMA_ERROR = /\b5006:/

/** Whether the endpoint refused the request as it was written. */
export function isMalformed(error: unknown): boolean {
  if (!APICallError.isInstance(error) || isFiltered(error)) return false
  const { statusCode, message } = error
  return statusCode === 400 || statusCode === 422 || BINDING_SCHEMA_ERROR.test(message)
}

/** Tokens for the least of thinking before a short answer, where a model may not obey. */
const ROOM_TOKENS = 600

/** What a call for a few words must allow on top of them. */
export function thinkingRoom({ thinking }: ChatModelInfo): number {
  return thinking === 'cannot' || thinking === 'unknown' ? ROOM_TOKENS : 0
}
