import { loadZod } from '../lazy'

/** What `zod` means in the Worker's start ([alias] in wrangler.toml): the module that the late ones import too, so it is there once. */
const { enum: enumOf, null: nullOf, ...rest } = await loadZod()

export const {
  array,
  boolean,
  check,
  coerce,
  globalRegistry,
  int,
  iso,
  literal,
  NEVER,
  number,
  object,
  preprocess,
  record,
  refine,
  registry,
  strictObject,
  string,
  toJSONSchema,
  union,
  unknown,
  url,
  uuid,
  ZodArray,
  ZodNullable,
  ZodObject,
  ZodOptional,
  ZodType,
} = rest
export { enumOf as enum, nullOf as null }
