import type { Entry, ReplyEntry, UserEntry } from '../model/chat'
import { keepBeginning } from '../net/listed-messages'

export type Said = UserEntry | ReplyEntry

export const isSaid = (entry: Entry | undefined): entry is Said =>
  entry !== undefined && entry.kind !== 'note'

/** What stands above it is of another session. */
const isBorder = (entry: Entry): boolean =>
  entry.kind === 'note' && (entry.note === 'carried' || entry.note === 'renewed')

/**
 * The stored conversation, with what this page alone knows of its messages: pictures, options, what a reply came to. A
 * version takes the place of another, so that whoever looks at it goes on looking.
 */
export function merge(shown: readonly Entry[], stored: readonly Entry[]): Entry[] {
  const begun = shown.findLastIndex(isBorder) + 1
  const [beginning, listed] = keepBeginning(shown.slice(begun), stored)
  const known = shown.slice(begun + beginning.length).filter(isSaid)
  for (const [at, reply] of known.entries()) {
    const user = known[at - 1]
    const found = listed.findIndex((entry) => isSaid(entry) && entry.messageId === reply.messageId)
    const asked = listed[found - 1]
    if (reply.kind === 'reply' && user?.kind === 'user' && asked?.kind === 'user')
      known[at - 1] = { ...user, ...(asked.messageId ? { messageId: asked.messageId } : {}) }
  }
  const here = listed.map((entry): Entry => {
    if (!isSaid(entry)) return entry
    const { messageId, variants = [] } = entry
    const same = known.find((one) => one.kind === entry.kind && one.messageId === messageId)
    if (same) return { ...same, variants } as Entry
    const other = known.find(
      ({ messageId: id, variants: all = [] }) =>
        (id && variants.includes(id)) || (messageId && all.includes(messageId)),
    )
    return other ? { ...entry, key: other.key } : entry
  })
  return [...shown.slice(0, begun), ...beginning, ...here]
}
