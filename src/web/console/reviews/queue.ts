interface Listed {
  id: string
}

/** The one `step` places away from `id`, held at both ends; the first where `id` is not in the list. */
export function neighbourOf<T extends Listed>(
  items: readonly T[],
  id: string | null,
  step: number,
): T | null {
  const at = items.findIndex((item) => item.id === id)
  if (at < 0) return items[0] ?? null
  return items[Math.min(items.length - 1, Math.max(0, at + step))] ?? null
}

/** What is looked at once `id` is decided: the next one that is pending, else the one before it. */
export function nextPending<T extends Listed & { status: string }>(
  items: readonly T[],
  id: string,
): T | null {
  const at = items.findIndex((item) => item.id === id)
  const isOpen = (item: T) => item.id !== id && item.status === 'pending'
  return (
    items.slice(at + 1).find(isOpen) ?? items.slice(0, Math.max(0, at)).findLast(isOpen) ?? null
  )
}

/** The cursor of the next page in a `Link` header (RFC 8288), or null on the last one. */
export function cursorOf(link: string | null): string | null {
  const address = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1]
  if (address === undefined) return null
  return new URLSearchParams(address.split('?')[1] ?? '').get('cursor')
}

export type QueueAct = 'next' | 'previous' | 'approve' | 'reject'

const KEYS: Record<string, QueueAct> = { j: 'next', k: 'previous', a: 'approve', r: 'reject' }

/** The part of a key press that decides. */
interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  isComposing: boolean
  repeat: boolean
}

/** What a key does in the queue; nothing with Ctrl, Alt or Command, and a decision is never repeated by a key held down. */
export function actOf(press: Press): QueueAct | null {
  if (press.ctrlKey || press.metaKey || press.altKey || press.isComposing) return null
  const act = KEYS[press.key.toLowerCase()] ?? null
  return press.repeat && (act === 'approve' || act === 'reject') ? null : act
}

/** Whether letters typed there are text, or mean something to the control itself. */
export function takesLetters(element: { tagName: string; isContentEditable?: boolean }): boolean {
  return (
    /^(input|textarea|select|option)$/i.test(element.tagName) || element.isContentEditable === true
  )
}
