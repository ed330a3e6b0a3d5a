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
