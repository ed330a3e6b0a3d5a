/** What of a tenant's settings its agents may know; it travels with a turn's request. */
export interface TenantFacts {
  company: string | null
  website: string | null
  timezone: string | null
}

export const NO_TENANT_FACTS: TenantFacts = { company: null, website: null, timezone: null }

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
  }
}

/** `https://acme.example` or `acme.example/shop`. */
function isWebAddress(text: string): boolean {
  const url = URL.parse(/^https?:\/\//iu.test(text) ? text : `https://${text}`)
  return url?.hostname.includes('.') === true && !/\s/u.test(text)
}
