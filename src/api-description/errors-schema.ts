import * as z from 'zod'

export const ErrorOut = z.object({
  detail: z.string(),
  code: z.string().optional(),
  session_id: z.string().optional().describe('Of a turn that failed: where to ask again.'),
  message_id: z.string().optional(),
  reason: z.string().optional().describe('Of a file that is refused: why, for who sent it.'),
  version: z.int().optional().describe('Of a version conflict: the version that it has by now.'),
})

export const ValidationErrorOut = z.object({
  detail: z.array(
    z.object({
      type: z.string(),
      loc: z.array(z.union([z.string(), z.int()])),
      msg: z.string(),
    }),
  ),
  code: z.string().optional(),
  scenarios: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('Of a publication that its scenarios held back: those that fail.'),
})

/** What the OpenAI protocol's clients read beside `detail`. */
const error = z.object({
  message: z.string(),
  type: z.string(),
  param: z.string().nullable(),
  code: z.string(),
})
export const OpenAiErrorOut = ErrorOut.extend({ error })
export const OpenAiValidationErrorOut = ValidationErrorOut.extend({ error })
