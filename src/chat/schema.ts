import * as z from 'zod'
import { LIMITS } from '../config/limits'
import { ENROLLMENT_STATES, FINISH_REASONS } from '../config/names'
import { FIELD_TYPES } from '../storylines/speak'
import { agentNamed, nfcText, uuidParam } from '../wire/fields'
import { SourceOut } from '../wire/schema'

/** What a person may write in one message. */
export const messageText = z.string().max(LIMITS.messageLength)

/** POST /chat (specification 2.1). Media are checked after the shape, byte by byte. */
export const ChatRequest = z.object({
  message: messageText
    .optional()
    .describe('May be left out with images or audio, and where `replaces` names an answer.'),
  session_id: uuidParam.nullable().optional().describe('Goes on with it; else one is begun.'),
  agent: agentNamed.nullable().optional().describe('By default the tenant’s.'),
  k: z
    .int()
    .min(LIMITS.searchK.min)
    .max(LIMITS.searchK.max)
    .nullable()
    .optional()
    .describe(`How many passages are used; ${LIMITS.searchK.default} by default.`),
  images: z
    .array(z.string())
    .max(LIMITS.imagesPerTurn)
    .nullable()
    .optional()
    .describe('Data URLs of PNG, JPEG, WebP or GIF.'),
  audio: z.string().nullable().optional().describe('A data URL; what is said is the message.'),
  greeting_id: z
    .string()
    .max(LIMITS.greetingIdLength)
    .nullable()
    .optional()
    .describe(
      'Of the agent’s opening, with the first message of a new session: the greeting becomes the message before it.',
    ),
  replaces: uuidParam
    .nullable()
    .optional()
    .describe(
      'A message of the session: an answer is made anew, an own message is asked in other words. What came after it leaves the history.',
    ),
})
export type ChatRequest = z.output<typeof ChatRequest>

const ShownOption = z.object({ label: z.string(), value: z.string() })
const Clarify = z.object({
  question: z.string(),
  options: z.array(ShownOption),
  offer: z
    .string()
    .optional()
    .describe('The name of the storyline that the question offers; its first option starts it.'),
})
const FormOut = z.object({
  title: z.string(),
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.enum(FIELD_TYPES),
      required: z.boolean(),
      options: z.array(ShownOption).optional(),
    }),
  ),
})
const StorylineShown = z.object({
  id: z.string(),
  name: z.string().nullable(),
  status: z.enum(ENROLLMENT_STATES),
  node: z.string().nullable().describe('Title of the milestone that was reached last.'),
  progress: z.object({ done: z.int(), total: z.int() }).nullable(),
  leave: z.string().nullable().describe('What to send to leave it.'),
  noted: z.array(z.object({ name: z.string(), label: z.string(), value: z.string() })),
})

export const ChatOut = z.object({
  session_id: z.string(),
  message_id: z.string(),
  agent: z.string(),
  reply: z.string(),
  sources: z.array(SourceOut),
  transcript: z.string().nullable(),
  suggestions: z.array(z.string()),
  chips: z
    .array(z.object({ label: z.string(), value: z.string() }))
    .optional()
    .describe('Skills with a word in `menu_anchors` that the reply holds.'),
  closest: z
    .array(z.object({ document_id: z.string(), title: z.string(), heading: z.string().nullable() }))
    .describe(
      'Where finish_reason is no_match: at most three documents that came nearest. Empty where the agent hides its sources.',
    ),
  finish_reason: z.enum(FINISH_REASONS),
  usage: z.object({
    model: z.string(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    /** Whether the provider left some of it unreported. */
    estimated: z.boolean(),
  }),
  storyline: StorylineShown.optional().describe(
    'Where the user is in a storyline that shows itself.',
  ),
  clarify: Clarify.optional().describe(
    'A question whose answers are a few: send the value of one as the message.',
  ),
  form: FormOut.optional().describe(
    'Fields to fill in: send a line `label: value` for each as the message.',
  ),
  cta: z
    .object({ title: z.string(), text: z.string().nullable(), url: z.string().nullable() })
    .optional()
    .describe('What the user may do next; its link is one of `cta_prompt`.'),
})

const UiPart = z.object({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  mediaType: z.string().optional(),
})

/** What a client calls its chat: a session's id, or any other text. Canonically equal texts are the same chat. */
export const chatId = z
  .string()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused; in this form for readers of the API description that know no \P.
  .regex(/^[^\x00-\x1f\x7f-\x9f]*$/, { error: 'no control characters' })
  .transform((id) => id.normalize('NFC'))

/** What the AI SDK's chat transport sends: the last user message is the turn. */
export const UiMessageRequest = z.object({
  id: chatId,
  messages: z
    .array(
      z.object({
        id: z.string().optional(),
        role: z.enum(['system', 'user', 'assistant']),
        parts: z.array(UiPart),
      }),
    )
    .min(1)
    .max(1000),
  trigger: z.string().nullable().optional(),
  messageId: z.string().nullable().optional(),
  agent: agentNamed.nullable().optional(),
})
export type UiMessageRequest = z.output<typeof UiMessageRequest>

const OpenAiPart = z.object({
  type: z.string(),
  text: z.string().nullable().optional(),
  image_url: z
    .union([z.object({ url: z.string() }), z.string()])
    .nullable()
    .optional(),
})
const OpenAiContent = z.union([z.string(), z.array(OpenAiPart), z.null()], {
  error: 'a text or a list of parts, each with its type',
})

/** Clients ask for one token to try a connection, or for more than any model writes: a maximum is kept by writing less. */
const mostTokens = z
  .int()
  .min(1)
  .transform((tokens) => Math.min(tokens, LIMITS.maxOutputTokens.max))
  .nullable()
  .optional()

const stopSequence = z.string().max(LIMITS.stopSequenceLength)

export const CompletionRequest = z.object({
  model: agentNamed,
  messages: z
    .array(
      z.object({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
        content: OpenAiContent.optional(),
      }),
    )
    .min(1)
    .max(1000),
  stream: z.boolean().nullable().optional(),
  stream_options: z
    .object({ include_usage: z.boolean().nullable().optional() })
    .nullable()
    .optional(),
  max_tokens: mostTokens,
  max_completion_tokens: mostTokens,
  n: z.int().nullable().optional(),
  stop: z
    .union([stopSequence, z.array(stopSequence).max(LIMITS.stopSequences)], {
      error: `a string or a list of up to ${LIMITS.stopSequences}, each of at most ${LIMITS.stopSequenceLength} characters`,
    })
    .nullable()
    .optional()
    .describe('The reply ends before the first of these.'),
  seed: z.int().nullable().optional().describe('Handed to the model.'),
  logprobs: z.boolean().nullable().optional(),
  top_logprobs: z.int().nullable().optional(),
  modalities: z.array(z.string()).nullable().optional(),
  response_format: z.object({ type: z.string() }).nullable().optional(),
  tools: z.array(z.unknown()).nullable().optional(),
  functions: z.array(z.unknown()).nullable().optional(),
  user: nfcText(LIMITS.endUserIdLength).nullable().optional(),
  metadata: z
    .object({ session_id: z.string().nullable().optional() })
    .nullable()
    .optional()
    .describe('Of it `session_id` alone is read.'),
})
export type CompletionRequest = z.output<typeof CompletionRequest>

export const ModelOut = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  tts: z.boolean().describe('Whether its answers can be read aloud.'),
})
export const ModelList = z.object({ object: z.literal('list'), data: z.array(ModelOut) })
export const CompletionOut = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string(),
        refusal: z.null(),
      }),
      finish_reason: z.string(),
      logprobs: z.null(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
  metadata: z.object({ session_id: z.string(), message_id: z.string() }),
  sources: z.array(SourceOut),
})
