import type { AuditEntry } from './types'

/**
 * What does not fit: `hash`: the text does not have this hash; `facts`: what is shown is not what was hashed; `link`: it
 * does not build on the entry before; `gap`: a number is missing.
 */
export type Fault = 'hash' | 'facts' | 'link' | 'gap'

export interface Verdict {
  checked: number
  newest: number | null
  oldest: number | null
  /** The oldest entry is the first that there ever was. */
  fromStart: boolean
  fault: { seq: number; kind: Fault } | null
}

const GENESIS = '0'.repeat(64)

/** The hash of an entry that nothing stands before. */
export const isFirst = ({ seq, prev_hash }: AuditEntry): boolean =>
  seq === 1 && prev_hash === GENESIS

/** Whether an entry says what was sealed. One without a seal yet, or whose predecessor is gone, has nothing to be held to. */
export async function checkEntry(entry: AuditEntry): Promise<Fault | null> {
  const { hash, canonical, prev_hash } = entry
  if (hash === null || canonical === null) return null
  if ((await sha256(canonical)) !== hash) return 'hash'
  const facts: unknown = JSON.parse(canonical)
  if (!Array.isArray(facts)) return 'facts'
  const [previous, , seq, id, createdAt, actor, actorType, via, action, entity, ...rest] = facts
  const [entityId, entityName, before, after, requestId] = rest
  if (previous !== prev_hash) return 'link'
  const sealed = [seq, id, createdAt, actor, actorType, via, action, entity, entityId, entityName]
  const shown = [
    entry.seq,
    entry.id,
    Date.parse(entry.created_at),
    entry.actor,
    entry.actor_type,
    entry.via,
    entry.action,
    entry.entity,
    entry.entity_id,
    entry.entity_name,
  ]
  const isSame =
    JSON.stringify([...sealed, requestId]) === JSON.stringify([...shown, entry.request_id]) &&
    isSameJson(before, entry.before) &&
    isSameJson(after, entry.after)
  return isSame ? null : 'facts'
}

/** Whether the newer of two neighbours builds on the older one. */
export function checkLink(newer: AuditEntry, older: AuditEntry): Fault | null {
  if (newer.seq !== older.seq + 1) return 'gap'
  if (newer.hash === null || older.hash === null) return null
  return newer.prev_hash === older.hash ? null : 'link'
}

/**
 * Walks the whole trail from its newest entry to its oldest and stops at the first that does not fit.
 * @param pages the trail, newest first, nothing left out.
 */
export async function verifyChain(
  pages: AsyncIterable<readonly AuditEntry[]>,
  onProgress: (checked: number) => void = () => undefined,
): Promise<Verdict> {
  const verdict: Verdict = { checked: 0, newest: null, oldest: null, fromStart: false, fault: null }
  let newer: AuditEntry | null = null
  for await (const page of pages) {
    for (const entry of page) {
      const kind = (newer && checkLink(newer, entry)) ?? (await checkEntry(entry))
      if (kind !== null) {
        const seq = kind === 'gap' && newer ? newer.seq - 1 : entry.seq
        return { ...verdict, fault: { seq, kind } }
      }
      verdict.checked++
      verdict.newest ??= entry.seq
      verdict.oldest = entry.seq
      verdict.fromStart = isFirst(entry)
      newer = entry
    }
    onProgress(verdict.checked)
  }
  return verdict
}

const isSameJson = (text: unknown, value: unknown): boolean =>
  typeof text === 'string'
    ? JSON.stringify(JSON.parse(text)) === JSON.stringify(value)
    : (text ?? null) === (value ?? null)

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
