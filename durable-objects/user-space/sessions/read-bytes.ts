import { attachmentPath } from '../../../src/platform/files'
import type { SpaceAddress } from '../../../src/platform/stubs'
import type { SpaceKeys } from '../core/space-keys'
import type { AttachmentRow } from './attachment-store'

/** The opened bytes of an image; null when they are gone or do not open. */
export async function readBytes(
  env: Env,
  keys: SpaceKeys,
  address: SpaceAddress,
  { id, wrapped_key }: AttachmentRow,
) {
  const object = await env.FILES.get(attachmentPath(address, id))
  if (!object) return null
  return keys.readAttachment(id, wrapped_key, new Uint8Array(await object.arrayBuffer()))
}
