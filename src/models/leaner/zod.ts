import * as zod from 'zod'

/** Stands for zod/v4 in the AI SDK's packages ([alias] in wrangler.toml). */
export * from 'zod'

/** What @ai-sdk/openai-compatible uses of it. The whole `z` would bring zod's messages in fifty languages along. */
export const z = {
  any: zod.any,
  array: zod.array,
  boolean: zod.boolean,
  enum: zod.enum,
  literal: zod.literal,
  looseObject: zod.looseObject,
  number: zod.number,
  object: zod.object,
  record: zod.record,
  string: zod.string,
  union: zod.union,
  unknown: zod.unknown,
}
