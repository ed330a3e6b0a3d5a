/**
 * Chunk ids look like UUIDs (version 8): a hash of base, document and version, then the chunk's number in the last eight
 * digits. So the same document and version always give the same ids, and an id leads to its row without an index.
 */
export async function chunkIdPrefix(
  baseId: string,
  documentId: string,
  version: string,
): Promise<string> {
  const bytes = new TextEncoder().encode(`${baseId}\n${documentId}\n${version}`)
  const hex = [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 22)}`
}

export function chunkId(prefix: string, n: number): string {
  return prefix + n.toString(16).padStart(8, '0')
}

/** Null when the id has not the form of one. */
export function parseChunkId(id: string): { prefix: string; n: number } | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/.test(id)) return null
  return { prefix: id.slice(0, -8), n: Number.parseInt(id.slice(-8), 16) }
}
