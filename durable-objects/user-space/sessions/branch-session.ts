import { attachmentPath } from '../../../src/platform/files'
import type { SpaceAddress } from '../../../src/platform/stubs'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import type { AttachmentRow } from './attachment-store'
import { readBody, sealBody } from './message-body'
import type { MessageRow } from './message-store'
import { readBytes } from './read-bytes'
import type { SessionRow } from './session-row'
import { isImage } from './views'

const PARALLEL = 4

/**
 * A new session with everything up to the clicked message: an assistant's is included, a user's is left out and its words
 * come back as `prefill`. Every copied text is sealed for its new place.
 */
export async function branchSession(
  core: SpaceCore,
  { caller, keys }: Visit,
  session: SessionRow,
  clicked: MessageRow,
): Promise<Answer<SessionRow>> {
  const { sessions, messages, attachments } = core.stores
  const now = Date.now()
  const isQuestion = clicked.role === 'user'
  const rows = messages.upTo(session.id, clicked.id, !isQuestion)
  const id = core.mint(now)
  const copied = await copyMessages(core, keys, caller.address, rows, now)
  const copies = copied.filter((copy) => copy !== null)
  const prefill = isQuestion ? ((await readBody(keys, clicked))?.content ?? null) : null
  const title =
    session.title_sealed === null
      ? null
      : await keys.read('sessions', 'title', session.id, session.title_sealed)
  const titleSealed = title === null ? null : await keys.seal('sessions', 'title', id, title)
  const prefillSealed =
    prefill === null ? null : await keys.seal('sessions', 'prefill', id, prefill)
  if (core.isClosed) return refuse('session')
  core.storage.transactionSync(() => {
    sessions.addBranch(session, { id, titleSealed, prefillSealed, messages: copies.length, now })
    if (!core.remembers(session.id)) core.setStateless(id)
    for (const { message, images } of copies) {
      messages.add({ ...message, sessionId: id })
      for (const image of images) {
        attachments.add({ ...image, sessionId: id, messageId: message.id, now })
      }
    }
  })
  const row = sessions.get(id)
  return row ? ok(row) : refuse('session')
}

async function copyMessages(
  core: SpaceCore,
  keys: SpaceKeys,
  address: SpaceAddress,
  rows: MessageRow[],
  now: number,
) {
  const ids = rows.map(() => core.mint(now))
  return mapParallel(rows, PARALLEL, async (row, index) => {
    const id = ids[index] ?? core.mint(now)
    const body = await readBody(keys, row)
    if (body === null) return null
    const sealed = await sealBody(keys, id, body)
    const images = []
    for (const image of core.stores.attachments.ofMessage(row.id).filter(isImage)) {
      const copy = await copyImage(core, keys, address, image, now)
      if (copy) images.push(copy)
    }
    const { role, status } = row
    const message = { id, role, agentName: row.agent_name, status, sealed, now: row.created_at }
    return { message, images }
  })
}

async function copyImage(
  core: SpaceCore,
  keys: SpaceKeys,
  address: SpaceAddress,
  row: AttachmentRow,
  now: number,
) {
  const bytes = await readBytes(core.env, keys, address, row)
  if (!bytes) return null
  const id = core.mint(now)
  const { sealed, wrappedKey } = await keys.sealAttachment(id, bytes)
  await core.putFile(attachmentPath(address, id), sealed)
  const name = (await keys.read('attachments', 'name', row.id, row.name_sealed)) ?? ''
  const nameSealed = await keys.seal('attachments', 'name', id, name)
  return { id, mime: row.mime, nameSealed, size: row.size_bytes, wrappedKey }
}

/** At most `width` at a time, results in order. */
async function mapParallel<T, R>(
  items: T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) {
      const item = items[i]
      if (item !== undefined) results[i] = await work(item, i)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
