import * as zod from 'zod'

export * from 'zod'

/**
 * What the model providers' library gets as `zod/v4` (wrangler.toml, `[alias]`): it imports zod as one object, which would
 * bring zod's messages in fifty languages along. This object has what it uses.
 */
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
