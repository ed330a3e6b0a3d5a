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
  const context = canvas.getContext('2d')
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  // Safari has no WebP encoder and falls back to PNG by itself.
  let blob = await encode(canvas, file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp')
  if (context && blob && blob.size > MAX_BYTES) {
    // A photograph is too much for PNG. JPEG would make black of what is transparent.
    context.globalCompositeOperation = 'destination-over'
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    blob = await encode(canvas, 'image/jpeg')
  }
  if (blob === null || blob.size > MAX_BYTES) return 'size'
  return {
    name: file.name || 'image',
    dataUrl: await readDataUrl(blob),
    preview: URL.createObjectURL(blob),
  }
}

function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY))
}

function readDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
