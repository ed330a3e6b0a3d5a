import * as z from 'zod'

export const ErrorOut = z.object({ detail: z.string(), code: z.string().optional() })

export const ValidationErrorOut = z.object({
  detail: z.array(
    z.object({
      type: z.string(),
      loc: z.array(z.union([z.string(), z.int()])),
      msg: z.string(),
    }),
  ),
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
