import { sourceList } from '../../kit/turn/frames'
import { type Entry, newReply } from '../model/chat'

/** How many messages the server lists where it is asked for no number of them. */
export const PAGE = 200

/**
 * Entries of a message list as GET /me/sessions/{sid}/messages gives it, below a note that there may be more where it is
 * a whole page; null when it is not one.
 */
export function entriesOfMessages(value: unknown): Entry[] | null {
  if (!Array.isArray(value)) return null
  const entries = readEntries(value)
  const first = value[0]?.id
  if (value.length < PAGE || typeof first !== 'string') return entries
  return [{ kind: 'note', key: 'earlier', note: 'earlier', first }, ...entries]
}

/**
 * A conversation as it was listed again, whose beginning is no longer in the list.
 * @returns what is shown of that beginning, and what comes below it
 */
export function keepBeginning(
  shown: readonly Entry[],
  listed: readonly Entry[],
): [beginning: readonly Entry[], rest: readonly Entry[]] {
  const [more, ...rest] = listed
  if (more?.kind !== 'note' || more.note !== 'earlier') return [[], listed]
  for (const [at, { key }] of rest.entries()) {
    const there = shown.findIndex((one) => (one.kind === 'note' ? one.key : one.messageId) === key)
    if (there > at) return [shown.slice(0, there - at), rest]
    if (there >= 0) break
  }
  return [[], listed]
}

function readEntries(items: readonly unknown[]): Entry[] {
  return items.flatMap((item: unknown): Entry[] => {
    const message = (item ?? {}) as Record<string, unknown>
    const { id, role, content, status, attachments, feedback } = message
    const variants = Array.isArray(message.variants) ? (message.variants as string[]) : []
    if (typeof id !== 'string') return []
    if (status === 'unreadable') return [{ kind: 'note', key: id, note: status }]
    if (typeof content !== 'string') return []
    const at = Date.parse(String(message.created_at)) || 0
    if (role === 'user') {
      const images = (Array.isArray(attachments) ? attachments : []).map(
        (a: { name?: unknown }) => ({
          name: String(a?.name ?? ''),
          dataUrl: null,
          preview: null,
        }),
      )
      return [{ kind: 'user', key: id, messageId: id, variants, text: content, images, at }]
    }
    if (role !== 'assistant') return []
    const failed = status === 'failed'
    return [
      {
        ...newReply(id, at),
        messageId: id,
        variants,
        state: failed ? 'failed' : 'done',
        text: content,
        sources: sourceList(message.sources),
        finishReason:
          message.author === 'staff' ? 'staff' : status === 'partial' ? 'stopped' : 'stop',
        problem: failed ? { kind: 'server', requestId: id } : null,
        feedback: feedback === 'up' || feedback === 'down' ? feedback : null,
      },
    ]
  })
}
