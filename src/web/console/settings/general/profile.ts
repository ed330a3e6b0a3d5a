import type { Settings } from '../types'

/** The general settings as they are edited: the profile's fields apart, texts empty where nothing is set. */
export interface General {
  name: string
  alias: string
  company: string
  website: string
  contact_email: string
  timezone: string
  languages: string[]
  default_agent: string
  public_pages: boolean
  accent: string
  any_site: boolean
  widget_origins: string
  /** What else is in the profile, as JSON. */
  other: string
}

/** What is wrong with a field, by its name; the values are words of the screen. */
export type Wrong = Partial<
  Record<keyof General, 'badColour' | 'badOrigin' | 'badJson' | 'badWeb' | 'badEmail'>
>

const TEXTS = [
  'company',
  'website',
  'contact_email',
  'timezone',
  'default_agent',
  'accent',
] as const
const KNOWN: ReadonlySet<string> = new Set([
  ...TEXTS,
  'languages',
  'public_pages',
  'widget_origins',
])

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).filter(
    (one) => typeof one === 'string',
  )

export function readGeneral({ name, alias, profile }: Settings): General {
  const rest = Object.entries(profile).filter(([key]) => !KNOWN.has(key))
  const texts = Object.fromEntries(TEXTS.map((key) => [key, textOf(profile[key])]))
  return {
    ...(texts as Pick<General, (typeof TEXTS)[number]>),
    name,
    alias: alias ?? '',
    languages: listOf(profile.languages),
    public_pages: profile.public_pages === true,
    any_site: profile.widget_origins === undefined || profile.widget_origins === null,
    widget_origins: listOf(profile.widget_origins).join('\n'),
    other: rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest), null, 2),
  }
}

const ORIGIN = /^https?:\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/
const COLOUR = /^#[0-9a-f]{6}$/i

export const readOrigins = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .map((line) => line.trim().toLowerCase().replace(/\/$/, ''))
      .filter((line) => line !== ''),
  ),
]

/** The profile is the tenant's own and takes anything: what no page could use is told before it is stored. */
export function findWrong(draft: General): Wrong {
  const wrong: Wrong = {}
  if (draft.accent !== '' && !COLOUR.test(draft.accent)) wrong.accent = 'badColour'
  if (draft.website !== '' && !isWebAddress(draft.website)) wrong.website = 'badWeb'
  if (draft.contact_email.trim() !== '' && !EMAIL.test(draft.contact_email.trim()))
    wrong.contact_email = 'badEmail'
  if (!draft.any_site && readOrigins(draft.widget_origins).some((one) => !ORIGIN.test(one)))
    wrong.widget_origins = 'badOrigin'
  if (draft.other.trim() !== '' && readObject(draft.other) === null) wrong.other = 'badJson'
  return wrong
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  return url?.hostname.includes('.') === true && !/\s/.test(text)
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/**
 * What is sent for the changed fields: a field of the profile that was emptied as null, which takes it out.
 * @param now as it is stored: fields of the tenant's own that the draft no longer has are taken out of it
 */
export function writeGeneral(
  changed: Partial<General>,
  draft: General,
  now: Record<string, unknown>,
): Record<string, unknown> {
  const { name, alias, ...fields } = changed
  const patch: Record<string, unknown> = {}
  if (name !== undefined) patch.name = name
  if (alias !== undefined) patch.alias = alias === '' ? null : alias
  if (Object.keys(fields).length === 0) return patch

  const profile: Record<string, unknown> = {}
  if (fields.other !== undefined) {
    const other = readObject(draft.other.trim() || '{}')
    for (const [key, value] of Object.entries({ ...now, ...other }))
      if (!KNOWN.has(key)) profile[key] = other && key in other ? value : null
  }
  for (const key of TEXTS) {
    if (fields[key] !== undefined) profile[key] = fields[key].trim() || null
  }
  if (fields.languages) profile.languages = fields.languages.length > 0 ? fields.languages : null
  if (fields.public_pages !== undefined) profile.public_pages = fields.public_pages || null
  if (fields.any_site !== undefined || fields.widget_origins !== undefined)
    profile.widget_origins = draft.any_site ? null : readOrigins(draft.widget_origins)
  return { ...patch, profile }
}
