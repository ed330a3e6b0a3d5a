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
  return kept.find((one) => one !== undefined && one.trim() !== '')?.trim() ?? null
}

/** What the login page needs of it. Pure. */
export function presentOnboarding(onboarding: Onboarding | null): LoginOnboarding | null {
  if (onboarding === null) return null
  const { welcome, required_fields, consent_text } = onboarding
  return { welcome: forAll(welcome), consent: forAll(consent_text), fields: required_fields ?? [] }
}

/** The page knows the reader's language, and shows whoever has no text in it the one that stands for all. */
function forAll(text: OnboardingText): LoginText {
  const own = text !== null && typeof text === 'object' ? text : {}
  return { own, rest: textIn(text, 'en') }
}
