import type { SpaceKeys } from '../core/space-keys'
import type { SpaceDocumentRow } from './document-store'

/** Those of some documents that have a name. Names are sealed, so each is opened. */
export async function withName(
  keys: SpaceKeys,
  rows: readonly SpaceDocumentRow[],
  name: string,
): Promise<SpaceDocumentRow[]> {
  const names = await Promise.all(
    rows.map((row) => keys.read('space_documents', 'name', row.id, row.name_sealed)),
  )
  return rows.filter((_, at) => names[at] === name)
}
