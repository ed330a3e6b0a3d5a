import { spaceDocumentPath } from '../../../src/platform/files'
import type { SpaceAddress } from '../../../src/platform/stubs'
import type { SpaceKeys } from '../core/space-keys'
import type { SpaceDocumentRow } from './document-store'

/** A document as it was uploaded, opened. */
export interface Original {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Null when what is stored does not open; undefined when it is not there. */
export async function readOriginal(
  files: R2Bucket,
  address: SpaceAddress,
  keys: SpaceKeys,
  { id, name_sealed, wrapped_key }: SpaceDocumentRow,
): Promise<Original | null | undefined> {
  const object = await files.get(spaceDocumentPath(address, id))
  if (!object) return undefined
  const sealed = new Uint8Array(await object.arrayBuffer())
  const [name, bytes] = await Promise.all([
    keys.read('space_documents', 'name', id, name_sealed),
    keys.readAttachment(id, wrapped_key, sealed),
  ])
  return name === null || bytes === null ? null : { name, bytes }
}
