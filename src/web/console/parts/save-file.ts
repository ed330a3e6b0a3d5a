const KEPT_MS = 10_000

/** Hands a text or a file to the reader: calls carry the key in a header, so a plain link could not fetch it. */
export function saveFile(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  // What an agent or a storyline is called may hold more than a file's name.
  link.download = name.replace(/[\\/:*?"<>|]+/g, '-')
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
