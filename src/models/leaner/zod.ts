import * as zod from 'zod'

/** Stands for zod/v4 in @ai-sdk/openai-compatible (`scripts/build-lazy.mjs`). */
export * from 'zod'

/** What the package uses of it. The whole `z` would bring zod's messages in fifty languages along. */
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
