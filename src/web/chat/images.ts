import type { OwnImage } from './model/chat'

const MAX_BYTES = 5 * 1024 * 1024
const MAX_SIDE = 1600
const QUALITY = 0.86

export type ImageRefusal = 'type' | 'size'

/**
 * Prepares a picture for sending: at most 1600 px on its longer side and re-encoded, which leaves all metadata behind.
 * Returns why when it cannot be sent. `accepted`: MIME types, separated by commas.
 */
export async function prepareImage(file: File, accepted: string): Promise<OwnImage | ImageRefusal> {
  if (!accepted.split(',').includes(file.type)) return 'type'
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(file)
  } catch {
    return 'type'
  }
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  // Browsers without a WebP encoder fall back to PNG by themselves.
  const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp'
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, QUALITY)
  })
  if (blob === null || blob.size > MAX_BYTES) return 'size'
  return {
    name: file.name || 'image',
    dataUrl: await readDataUrl(blob),
    preview: URL.createObjectURL(blob),
  }
}

function readDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
