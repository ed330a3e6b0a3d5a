import { LANGUAGES, type Language } from '../config/names'
import type { TenantRow } from '../db/tables/tenants'

/** What of a tenant's settings its agents may know; it travels with a turn's request. */
export interface TenantFacts {
  company: string | null
  website: string | null
  timezone: string | null
  /** In which it serves people; none where it did not say. */
  languages: readonly Language[]
}

export const NO_TENANT_FACTS: TenantFacts = {
  company: null,
  website: null,
  timezone: null,
  languages: [],
}

const MAX_CHARS = 200

/** The profile is a free object: what is no text, or too long for a name or an address, is none. Pure. */
export function tenantFacts(profile: Readonly<Record<string, unknown>>): TenantFacts {
  const textOf = (name: string) => {
    const value = profile[name]
    const text = typeof value === 'string' ? value.trim() : ''
    return text === '' || text.length > MAX_CHARS ? null : text
  }
  const website = textOf('website')
  return {
    company: textOf('company'),
    website: website !== null && isWebAddress(website) ? website : null,
    timezone: textOf('timezone'),
    languages: speaks(profile),
  }
}

/** In which of our languages a tenant serves people, its own order kept; none where it does not say. Pure. */
export function speaks({ languages }: Readonly<Record<string, unknown>>): readonly Language[] {
  if (!Array.isArray(languages)) return []
  const known = languages.flatMap((one) => LANGUAGES.find((language) => language === one) ?? [])
  return [...new Set(known)]
}

/** Under which name people know a tenant. Pure. */
export const publicName = ({ name, profile }: Pick<TenantRow, 'name' | 'profile'>): string =>
  tenantFacts(profile).company ?? name

/** Where a tenant is on the web, as a link. Pure. */
export function websiteLink(profile: Readonly<Record<string, unknown>>): string | null {
  const { website } = tenantFacts(profile)
  if (website === null) return null
  return /^https?:\/\//iu.test(website) ? website : `https://${website}`
}

/** What a mail names of the tenant. Pure. */
export const mailFacts = (tenant: Pick<TenantRow, 'name' | 'profile'>) => ({
  tenant: publicName(tenant),
  website: websiteLink(tenant.profile),
})

/** In which language a mail goes to somebody. Pure. */
export const mailLanguage = (
  user: { lang: Language | null },
  { profile }: Pick<TenantRow, 'profile'>,
): Language => user.lang ?? speaks(profile)[0] ?? 'en'

/** `https://acme.example` or `acme.example/shop`. */
function isWebAddress(text: string): boolean {
  const url = URL.parse(/^https?:\/\//iu.test(text) ? text : `https://${text}`)
  return url?.hostname.includes('.') === true && !/\s/u.test(text)
}
