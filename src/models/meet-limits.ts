import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
} from '@ai-sdk/provider'
import { ExpiringMap } from '../platform/expiring-map'
import { hasPictures, refusesPictures } from './refused-pictures'
import { alternating, withoutSystem } from './strict-roles'

type Options = LanguageModelV4CallOptions

const REMEMBERED_MS = 60 * 60 * 1000
/**
 * A server that renders the dialogue by a template calls what the template refuses its own fault (llama.cpp: 500); most codes
 * of the AI binding have no status.
 */
const REFUSALS = new Set<number | undefined>([400, 413, 422, 500, undefined])
/** Halvings of a dialogue that is too long for its model. */
const MOST_HALVINGS = 4

/** Tells `streamRequest` to ask for no usage. */
const PLAIN_STREAM = { parley: { plainStream: true } }

interface Limit {
  name: string
  /** What endpoints say when they refuse a request for it. */
  said: RegExp
  /** The same request without what is refused; null where it has nothing of the kind. */
  meet(options: Options): Options | null
}

/** What models and endpoints of the OpenAI protocol refuse that others take. */
const LIMITS: readonly Limit[] = [
  {
    // OpenAI's thinking models: "Unsupported parameter: 'max_tokens' … Use 'max_completion_tokens' instead."
    name: 'max_tokens',
    said: /max_completion_tokens/iu,
    meet: ({ maxOutputTokens, ...rest }) =>
      maxOutputTokens === undefined
        ? null
        : withBody(rest, { max_completion_tokens: maxOutputTokens }),
  },
  {
    // The same: "'temperature' does not support 0 with this model. Only the default (1) value is supported."
    name: 'temperature',
    said: /temperature|top_p/iu,
    meet: ({ temperature, topP, ...rest }) =>
      temperature === undefined && topP === undefined ? null : rest,
  },
  {
    name: 'stream_options',
    said: /stream_options|include_usage/iu,
    meet: (options) => ({
      ...options,
      providerOptions: { ...options.providerOptions, ...PLAIN_STREAM },
    }),
  },
  {
    // vLLM without a parser of calls, and servers that know `auto` alone.
    name: 'tool_choice',
    said: /tool[_ ]choice/iu,
    meet: ({ toolChoice, ...rest }) =>
      toolChoice === undefined || toolChoice.type === 'auto'
        ? withoutTools(rest)
        : { ...rest, toolChoice: { type: 'auto' } },
  },
  {
    // Ollama: "… does not support tools".
    name: 'tools',
    said: /(?:tools?|function[_ ]calling|functions)\b.{0,40}\b(?:not|un)|(?:not|un)\s?support\w*.{0,40}\b(?:tools?|function)/isu,
    meet: withoutTools,
  },
  {
    // Gemma's template: "System role not supported".
    name: 'system',
    said: /system (?:role|message|prompt)s?\b.{0,40}\b(?:not|un)\s?(?:support|allow)/isu,
    meet: (options) => withPrompt(options, withoutSystem(options.prompt)),
  },
  {
    // Mistral's and others': "conversation roles must alternate user/assistant/user/assistant/…".
    name: 'roles',
    said: /\broles?\b.{0,80}\balternat|\bfirst message must\b/isu,
    meet: (options) => withPrompt(options, alternating(options.prompt)),
  },
]

/**
 * "This model's maximum context length is 8192 tokens", "exceeds the available context size", "prompt is too long"; Workers AI:
 * "The estimated number of input and maximum output tokens (35000) exceeded this model context window limit (24000)".
 */
const TOO_LONG =
  /context[_ ](?:length|size|window)|maximum context|too many (?:input )?tokens|(?:prompt|input|request) (?:is )?too (?:long|large)/iu

/** What a model was found to refuse, by its name. */
const found = new ExpiringMap<readonly string[]>(REMEMBERED_MS)

/** Models that were found to take no pictures, with the status of that answer. */
const blind = new ExpiringMap<number | undefined>(REMEMBERED_MS)

/** As an endpoint says it. The refusal that was met holds what was sent: the words and pictures of somebody's turn. */
function refusalOfPictures(statusCode: number): APICallError {
  const message = 'image input is not supported'
  const requestBodyValues = {}
  return new APICallError({
    message,
    responseBody: message,
    url: '',
    requestBodyValues,
    statusCode,
  })
}

/**
 * The same model, asked in the way its endpoint takes: what it refuses by name is left out, and this remembered for an
 * hour; a picture is refused for an hour as its endpoint refused it, without another call; of a dialogue that is too long the older half is left out, as often as it takes.
 * @param name what tells this model from every other.
 */
export function meetLimits(model: LanguageModelV4, name: string): LanguageModelV4 {
  async function attempt<T>(
    options: Options,
    call: (options: Options) => PromiseLike<T>,
  ): Promise<T> {
    const refused = hasPictures(options) ? blind.get(name, Date.now()) : undefined
    if (refused !== undefined) throw refusalOfPictures(refused)
    const known = found.get(name, Date.now()) ?? []
    let tried = known.reduce((now, one) => limitOf(one)?.meet(now) ?? now, options)
    let met = known
    for (let halvings = 0; ; ) {
      try {
        const result = await call(tried)
        if (met !== known) found.set(name, met, Date.now())
        return result
      } catch (error) {
        if (hasPictures(options) && refusesPictures(error)) {
          blind.set(name, error.statusCode, Date.now())
          throw error
        }
        const said = refusalOf(error)
        if (said === null) throw error
        if (TOO_LONG.test(said)) {
          const shorter = halvings++ < MOST_HALVINGS ? withoutOlderHalf(tried) : null
          if (shorter === null) throw error
          tried = shorter
          continue
        }
        const limit = LIMITS.find((one) => !met.includes(one.name) && one.said.test(said))
        const without = limit?.meet(tried) ?? null
        if (limit === undefined || without === null) throw error
        tried = without
        met = [...met, limit.name]
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

const limitOf = (name: string) => LIMITS.find((limit) => limit.name === name)

function refusalOf(error: unknown): string | null {
  if (!APICallError.isInstance(error) || !REFUSALS.has(error.statusCode)) return null
  return error.responseBody ?? error.message
}

function withBody(options: Options, body: Record<string, number>): Options {
  const { openaiCompatible, ...others } = options.providerOptions ?? {}
  return {
    ...options,
    providerOptions: { ...others, openaiCompatible: { ...openaiCompatible, ...body } },
  }
}

const withPrompt = (options: Options, prompt: Options['prompt'] | null): Options | null =>
  prompt && { ...options, prompt }

function withoutTools(options: Options): Options | null {
  const { tools, toolChoice, ...rest } = options
  return tools === undefined ? null : rest
}

/** The instructions and the newer half of the dialogue, which begins with a user's message; null where there is none older. */
function withoutOlderHalf(options: Options): Options | null {
  const begin = options.prompt.findIndex(({ role }) => role !== 'system')
  const last = options.prompt.findLastIndex(({ role }) => role === 'user')
  const half = begin + Math.ceil((last - begin) / 2)
  const from = options.prompt.findIndex(({ role }, index) => index >= half && role === 'user')
  if (begin < 0 || from <= begin) return null
  return { ...options, prompt: [...options.prompt.slice(0, begin), ...options.prompt.slice(from)] }
}
