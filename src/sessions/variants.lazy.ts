import type { SpaceKeys } from '../../durable-objects/user-space/core/space-keys'
import type { Stores } from '../../durable-objects/user-space/core/stores'
import type { AttachmentRow } from '../../durable-objects/user-space/sessions/attachment-store'
import type { MessageBody } from '../../durable-objects/user-space/sessions/message-body'
import type { MessageRow } from '../../durable-objects/user-space/sessions/message-store'
import type { SessionRow } from '../../durable-objects/user-space/sessions/session-row'
import type { ImageInput, TurnRequest } from '../chat/turn'
import type { SpaceRefusal } from '../spaces/answer'
import type { TurnRefusal } from '../spaces/caller'
import { isUnseen } from '../text/unseen'

/** What a turn puts in the place of what was said before. */
export interface Replacing {
  /** What the turn answers. */
  request: TurnRequest
  /** The user's message that is asked again; null when it is edited, so that the turn brings one of its own. */
  questionId: string | null
  /** The talk before this message is what the turn is told of. */
  before: string
  /** What leaves the history, with all that came after it. */
  leaves: string
  /** The first of the variants that stand in its place. */
  variantOf: string
}

interface Ports {
  stores: Stores
  keys: SpaceKeys
  readBody(row: MessageRow): Promise<MessageBody | null>
  readImage(row: AttachmentRow): Promise<Uint8Array<ArrayBuffer> | null>
}

/**
 * Reads what a turn is to replace: an answer is asked for again as it was, an own message is asked anew.
 * @returns null where the user has said nothing there yet.
 */
export async function readReplaced(
  ports: Ports,
  session: SessionRow,
  request: TurnRequest,
): Promise<Replacing | TurnRefusal | null> {
  const { messages } = ports.stores
  const named = request.replaces ?? ''
  const shown = (id: string) => shownInstead(ports.stores, messages.get(session.id, id))
  let row: MessageRow | undefined
  if (typeof named === 'object') {
    const before = named.after === null ? '' : shown(named.after)?.id
    if (before === undefined) return { reason: 'message' }
    row = messages.saidAfter(session.id, 'user', before)
    if (row && named.role === 'assistant') row = messages.saidAfter(session.id, named.role, row.id)
    if (!row) return null
  } else row = named === 'last' ? messages.last(session.id, 1, null)[0] : shown(named)
  if (!row || row.left_with !== null) return { reason: 'message' }
  const variantOf = row.variant_of ?? row.id
  if (row.role === 'user') {
    if (isUnseen(request.message))
      return refuse('message', 'an own message is replaced by other words')
    const images = request.images.length > 0 ? request.images : await readImages(ports, row.id)
    const asked = { ...request, images }
    return { request: asked, questionId: null, before: row.id, leaves: row.id, variantOf }
  }
  if (request.message.length > 0 && typeof named === 'string' && named !== 'last')
    return refuse('message', 'an answer is made anew from the message that it answers')
  const question = messages.questionOf(session.id, row.id)
  const before = messages.last(session.id, 1, row.id)[0]
  const body = await ports.readBody(row)
  // What moved a storyline or asked for a person would do so twice.
  const acts =
    body?.storyline !== undefined ||
    body?.finishReason === 'handoff' ||
    isGuided(ports.stores, session)
  if (!question || before?.id !== question.id || body?.author === 'staff' || acts)
    return refuse('replaces', 'this message is no answer that can be made anew')
  if (session.handoff_id !== null) return refuse('replaces', 'a person answers in this session')
  const asked = await ports.readBody(question)
  if (asked === null) return { reason: 'message' }
  const images = await readImages(ports, question.id)
  return {
    request: { ...request, message: asked.content, transcript: null, images },
    questionId: question.id,
    before: question.id,
    leaves: row.id,
    variantOf,
  }
}

const refuse = (field: 'message' | 'replaces', problem: string): TurnRefusal => ({
  reason: 'replaces',
  field,
  problem,
})

/** A client may know another variant than the one that is shown. */
function shownInstead({ messages }: Stores, row: MessageRow | undefined): MessageRow | undefined {
  if (!row || row.left_with === null) return row
  const shown = messages.variants(row.session_id).get(row.variant_of ?? row.id)?.shown
  return shown ? messages.get(row.session_id, shown) : row
}

const isGuided = ({ enrollments }: Stores, session: SessionRow): boolean =>
  enrollments
    .inForce(session.agent_id)
    .some(({ session_id, status }) => session_id === session.id && status === 'active')

async function readImages(ports: Ports, messageId: string): Promise<ImageInput[]> {
  const images: ImageInput[] = []
  for (const row of ports.stores.attachments.ofMessage(messageId)) {
    const bytes = await ports.readImage(row)
    const name = await ports.keys.read('attachments', 'name', row.id, row.name_sealed)
    if (bytes) images.push({ mime: row.mime, name: name ?? '', bytes })
  }
  return images
}

type Left = Pick<MessageRow, 'id' | 'variant_of' | 'left_with'>

/**
 * What nobody could reach any more once a message is gone: its other variants and what was said after them, or, of a variant
 * that is not shown, what was said after it.
 * @param left what of the session is not in its history.
 */
export function goneWith(left: readonly Left[], message: Left): string[] {
  const gone = new Set<string>()
  const placeOf = ({ id, variant_of }: Left) => variant_of ?? id
  const isHead = ({ id, left_with }: Left) => left_with === id
  const othersOf = (row: Left) =>
    left.filter((other) => other.id !== row.id && isHead(other) && placeOf(other) === placeOf(row))
  const follow = (head: Left) => {
    if (gone.has(head.id)) return
    gone.add(head.id)
    for (const row of left) {
      if (row.left_with !== head.id || row.id === head.id) continue
      gone.add(row.id)
      for (const other of othersOf(row)) follow(other)
    }
  }
  for (const head of isHead(message) ? [message] : othersOf(message)) follow(head)
  gone.delete(message.id)
  return [...gone]
}

/** Puts another variant into the history, with what was said after it, in the place of the one that is there. */
export function showVariant(
  { messages, sessions }: Stores,
  message: MessageRow,
  variant: string,
): { id: string; role: MessageRow['role'] }[] | SpaceRefusal {
  const { session_id } = message
  const place = message.variant_of ?? message.id
  const { ids, shown } = messages.variants(session_id).get(place) ?? {
    ids: [message.id],
    shown: message.left_with === null ? message.id : null,
  }
  if (!ids.includes(variant) || shown === null) return { reason: 'message' }
  if (variant === shown) return []
  const gone = messages.leave(session_id, shown, null)
  const come = messages.comeBack(session_id, variant)
  sessions.exchangeMessages(session_id, gone.length, come.length)
  sessions.dropSummary(session_id, place)
  return [...gone, ...come]
}
