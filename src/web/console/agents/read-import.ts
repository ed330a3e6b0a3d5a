/** What a file is: an exported agent, or why it is not one. */
export type ImportFile =
  | { ok: true; name: string; body: Record<string, unknown> }
  | { ok: false; reason: 'notJson' | 'otherKind' | 'otherVersion' }

/** Reads an exported agent. Whether each of its fields is allowed, the API says. */
export function readImport(text: string): ImportFile {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, reason: 'notJson' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, reason: 'notJson' }
  const body = value as Record<string, unknown>
  if ((body.kind ?? 'agent') !== 'agent' || typeof body.name !== 'string')
    return { ok: false, reason: 'otherKind' }
  if (body.schema_version !== 1) return { ok: false, reason: 'otherVersion' }
  return { ok: true, name: body.name, body }
}
