import { ONBOARDING } from '../config/limits'
import type { Language } from '../config/names'
import type { LoginOnboarding, LoginText } from '../pages/types'
import type { Onboarding } from './onboarding'

/** One text for everybody, or one for each language that has its own. */
export type OnboardingText =
  | string
  | Readonly<Partial<Record<Language, string | undefined>>>
  | null
  | undefined

/** What somebody who reads a language is shown: the English one, or whichever there is, where their own is missing. Pure. */
export function textIn(text: OnboardingText, lang: Language): string | null {
  if (text === null || text === undefined) return null
  if (typeof text === 'string') return text.trim() || null
  const kept = [text[lang], text.en, ...Object.values(text)]
  return (
    kept
      .filter(isText)
      .find((one) => one.trim() !== '')
      ?.trim() ?? null
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** What is asked, of what there is to ask: earlier releases took any object here. Pure. */
export function askedFields(onboarding: Onboarding | null): (typeof ONBOARDING.fields)[number][] {
  const fields: unknown = onboarding?.required_fields
  return Array.isArray(fields) ? fields.filter((field) => ONBOARDING.fields.includes(field)) : []
}

/** What the login page needs of it. Pure. */
export function presentOnboarding(onboarding: Onboarding | null): LoginOnboarding | null {
  if (onboarding === null) return null
  const { welcome, consent_text } = onboarding
  return {
    welcome: forAll(welcome),
    consent: forAll(consent_text),
    fields: askedFields(onboarding),
  }
}

/** The page knows the reader's language, and shows whoever has no text in it the one that stands for all. */
function forAll(text: OnboardingText): LoginText {
  const texts = text !== null && typeof text === 'object' ? Object.entries(text) : []
  return {
    own: Object.fromEntries(texts.filter(([, one]) => isText(one))),
    rest: textIn(text, 'en'),
  }
}
