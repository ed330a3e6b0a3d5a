import type { IconFile } from '../agents/icon-files'
import { APP_ICONS } from '../config/limits'
import { loadPictures } from '../lazy'
import type { Bytes } from '../platform/crypto/bytes'
import { padForMask, shrink } from './picture'

/** The pictures of an installed app from a checked square one; null when its pixels cannot be read. */
export async function deriveIcons(
  bytes: Bytes,
  kind: 'png' | 'jpeg' | 'webp',
): Promise<Record<IconFile, Uint8Array> | null> {
  const { decodePicture, encodePicture } = await loadPictures()
  const picture = await decodePicture(bytes, kind)
  // A picture may unpack to other measures than its header says.
  if (picture === null || picture.width !== picture.height) return null
  if (picture.width < APP_ICONS.minSide || picture.width > APP_ICONS.maxSide) return null
  const { small, large, favicon } = APP_ICONS.sizes
  const master = shrink(picture, large, large)
  return {
    '192.png': encodePicture(shrink(master, small, small)),
    '512.png': encodePicture(master),
    'maskable.png': encodePicture(padForMask(master)),
    'favicon.png': encodePicture(shrink(master, favicon, favicon)),
  }
}
