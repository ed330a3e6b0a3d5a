import * as z from 'zod'
import { LIMITS } from '../config/limits'
import { isUuid } from '../platform/ids'
import { isUnseen } from '../text/unseen'
import { parseWhen } from '../time'
import { readBoolean, readInteger } from './parse-lax'

/** Whole number from a query string: text that is no number is `int_parsing`, out of bounds `…_than_equal`. */
export function queryInt(bounds: { min: number; max: number }) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? readInteger(value) : value),
    z.int().min(bounds.min).max(bounds.max),
  )
}

/** Boolean from a query string. */
export const queryBool = z.preprocess(
  (value) => (typeof value === 'string' ? readBoolean(value) : value),
  z.boolean(),
)

export function pageQuery(sizes: { default: number; max: number }) {
  return {
    limit: queryInt({ min: 1, max: sizes.max }).default(sizes.default),
    cursor: z.string().max(2048).optional(),
  }
}

/** Written with capitals it is the same; everything of ours has small letters. */
export const uuidParam = z.uuid().toLowerCase()

/** What a tenant is called in public: its id, or its alias. */
export const tenantName = z.string().max(LIMITS.nameLength)

const BREAKS = /[\p{Cc}\u2028\u2029]/u

/** What was found wrong before speaks for itself. */
export const unlessWrong = ({ issues }: z.core.ParsePayload) => issues.length === 0

/** One line with something to see: what people are shown in lists. */
export const shown = z.refine<string>((text) => !BREAKS.test(text) && !isUnseen(text), {
  error: 'one line of text that can be seen, without control characters',
  when: unlessWrong,
})

/** What a document is called: when slashes and what cannot be seen are taken out, something is left. */
export const documentTitle = z
  .string()
  .min(1)
  .max(200)
  .refine((title) => !isUnseen(title.replaceAll(/[\\/]/g, '')), {
    error: 'a title with something to see beside slashes',
    when: unlessWrong,
  })

/** Something that is said, which blanks and signs that nobody sees do not. */
export const said = z.check<string>(({ value, issues }) => {
  if (isUnseen(value))
    issues.push({ code: 'too_small', origin: 'string', minimum: 1, inclusive: true, input: value })
})

/** The same, or nothing, which clears it. */
export const shownOrEmpty = z.refine<string>(
  (text) => text.trim() === '' || !(BREAKS.test(text) || isUnseen(text)),
  { error: 'one line of text that can be seen, without control characters' },
)

/** Control characters, separators and lone dots never make a name. */
const NAME_FORBIDDEN = /[\p{Cc}/\\\u2028\u2029]/u

/** Names match by exact NFC text, whose length is not that of what was sent. */
export const nfcText = (max: number) => z.string().normalize('NFC').min(1).max(max)

const nameThat = (max: number, isForbidden: (name: string) => boolean) =>
  nfcText(max).refine(
    (name) => !(NAME_FORBIDDEN.test(name) || /^\.{1,2}$/.test(name) || isForbidden(name)),
    {
      error: `a name has 1 to ${max} characters, no slash, backslash or control character`,
      when: unlessWrong,
    },
  )

/** What something is called. */
export const nameOf = (max: number) => nameThat(max, isUnseen)

export const nameField = nameOf(LIMITS.nameLength)

/** By which something is asked for: earlier releases took names of which nothing is seen. */
export const nameSought = nameThat(LIMITS.nameLength, (name) => name.trim() === '')

/** The name of an agent beside a message: where there is none of that name, it is not found. */
export const agentNamed = nfcText(LIMITS.nameLength)

/** What a configuration refers to, which need not be there (yet). */
export const referenceField = nfcText(256)

/** One line that people are shown. */
export const shownText = (max: number) => z.string().min(1).max(max).check(shown)

export const isoTime = z.iso.datetime()
export const idField = z.string()

const WHEN_HELP = 'a date such as 2026-11-21 or a time such as 2026-11-21T10:00:00Z'

function whenField(edge: 'start' | 'end') {
  return z
    .string()
    .max(64)
    .transform((text, ctx) => {
      const when = parseWhen(text.trim())
      if (when) return when[edge]
      ctx.addIssue({ code: 'custom', message: WHEN_HELP })
      return z.NEVER
    })
}

/** First moment of a period, milliseconds. */
export const whenFrom = () => whenField('start')
/** End of a period, milliseconds, excluded: a day is covered to its last moment. */
export const whenTo = () => whenField('end')

const EMAIL_LENGTH = 254
const EMAIL =
  /^[^\s@<>"(),;:\\[\]\p{C}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

/** One plain address; surrounding space and what is not seen are dropped. It can hold no line break, and no second address. */
export const addressField = z
  .string()
  .max(EMAIL_LENGTH)
  .transform((text) => text.replaceAll(/\p{Cf}/gu, '').trim())
  .refine((text) => EMAIL.test(text), { error: 'not an e-mail address' })

/** An address that takes an alias or an id means the id by what has its form. */
export const notAnId = z.refine<string>((alias) => !isUuid(alias), {
  error: 'an alias may not look like an id',
})
