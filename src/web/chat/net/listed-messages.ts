import { sourceList } from '../../kit/turn/frames'
import { type Entry, newReply } from '../model/chat'

/** Entries of a message list as GET /me/sessions/{sid}/messages gives it; null when it is not one. */
export function entriesOfMessages(value: unknown): Entry[] | null {
  if (!Array.isArray(value)) return null
  return value.flatMap((item: unknown): Entry[] => {
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
