import type { Language } from '../../../../config/names'

/** One text for everybody, or one for each language. */
export interface Words {
  each: boolean
  all: string
  own: Partial<Record<Language, string>>
}

export const FIELDS = ['pref_name', 'phone', 'city'] as const
export type AskedField = (typeof FIELDS)[number]

export interface Onboarding {
  welcome: Words
  consent_text: Words
  required_fields: AskedField[]
}

function readWords(value: unknown): Words {
  if (typeof value === 'string') return { each: false, all: value, own: {} }
  if (typeof value !== 'object' || value === null) return { each: false, all: '', own: {} }
  const own = Object.entries(value).filter(([, text]) => typeof text === 'string')
  return { each: true, all: '', own: Object.fromEntries(own) }
}

function writeWords({ each, all, own }: Words) {
  if (!each) return all.trim() === '' ? null : all
  const said = Object.entries(own).filter(([, text]) => text.trim() !== '')
  return said.length === 0 ? null : Object.fromEntries(said)
}

export function readOnboarding(config: Record<string, unknown> | null): Onboarding {
  const asked = Array.isArray(config?.required_fields) ? config.required_fields : []
  return {
    welcome: readWords(config?.welcome),
    consent_text: readWords(config?.consent_text),
    required_fields: FIELDS.filter((field) => asked.includes(field)),
  }
}

/** Null where nothing is said and nothing is asked. */
export function writeOnboarding(draft: Onboarding): Record<string, unknown> | null {
  const config = {
    welcome: writeWords(draft.welcome),
    consent_text: writeWords(draft.consent_text),
    required_fields: draft.required_fields,
  }
  const isEmpty =
    config.welcome === null && config.consent_text === null && config.required_fields.length === 0
  return isEmpty ? null : config
}
