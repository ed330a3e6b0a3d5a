export const ALIAS_LENGTH = 63

/** `none`: it has no address; `same`: as it is stored; the rest is about what is being written. */
export type AliasState =
  | 'none'
  | 'same'
  | 'short'
  | 'signs'
  | 'edges'
  | 'reserved'
  | 'taken'
  | 'free'

/** Words that the pages' own addresses begin with. */
const RESERVED: ReadonlySet<string> = new Set(
  'admin api app assets auth chat console docs health help internal login new openapi parley public readyz static status support system tenant widget www'.split(
    ' ',
  ),
)

/**
 * What can be said of an alias while it is written.
 * @param others of the tenant's other agents.
 */
export function aliasState(
  alias: string,
  stored: string | null,
  others: Iterable<string | null>,
): AliasState {
  if (alias === '') return stored === null ? 'none' : 'free'
  if (alias === stored) return 'same'
  if (!/^[a-z0-9-]*$/.test(alias)) return 'signs'
  if (alias.length < 3) return 'short'
  if (alias.startsWith('-') || alias.endsWith('-')) return 'edges'
  if (RESERVED.has(alias)) return 'reserved'
  for (const other of others) if (other === alias) return 'taken'
  return 'free'
}

/** An alias that the name suggests; empty where none of its letters may stand in an address. */
export function aliasOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, ALIAS_LENGTH)
    .replace(/-+$/, '')
}
