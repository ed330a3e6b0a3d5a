import * as z from 'zod'
import { ONBOARDING } from '../config/limits'
import { LANGUAGES } from '../config/names'

const words = z.string().max(ONBOARDING.textLength)
const inLanguages = z.object(
  Object.fromEntries(LANGUAGES.map((language) => [language, words.optional()])),
)

/** One text for everybody, or one for each of our languages; what else is in it is ignored. */
const text = z
  .union([words, inLanguages], {
    error: `a text of at most ${ONBOARDING.textLength} characters, or one for each language`,
  })
  .nullable()
  .optional()

/** What a new user is told and asked (contract section 8, Settings). */
export const OnboardingConfig = z.object({
  welcome: text,
  required_fields: z
    .array(z.enum(ONBOARDING.fields))
    .max(ONBOARDING.fields.length)
    .transform((fields) => [...new Set(fields)])
    .nullable()
    .optional(),
  consent_text: text,
})
export type Onboarding = z.output<typeof OnboardingConfig>
