import { attachmentPath, deleteFiles } from '../../../src/platform/files'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import type { SpaceCore } from '../core/space-core'
import type { Visit } from '../core/visit'
import { readBody } from './message-body'
import { readBytes } from './read-bytes'

/** What an answer says, and how it sounds where it was read aloud before. */
export interface SpeechView {
  /** Null when it does not open. */
  content: string | null
  /** Numbers of its sources. */
  cited: number[]
  /** Its words are those of this time. */
  editedAt: number | null
  agentName: string
  audio: Uint8Array | null
}

/** Answers that were read aloud: sealed beside the images, and gone with their message. */
export class Speeches {
  readonly #core: SpaceCore

  constructor(core: SpaceCore) {
    this.#core = core
  }

  /** @param voice '' for the deployment's own. The message is found by its id alone. */
  async find(
    { caller, keys }: Visit,
    messageId: string,
    voice: string,
  ): Promise<Answer<SpeechView>> {
    const { env, stores } = this.#core
    const row = stores.messages.find(messageId)
    if (row?.role !== 'assistant') return refuse('message')
    const kept = stores.attachments.speech(row.id, voice)
    const audio = kept ? await readBytes(env, keys, caller.address, kept) : null
    const body = await readBody(keys, row)
    const cited = (body?.sources ?? []).flatMap(({ n }) => (n === undefined ? [] : [n]))
    const { edited_at: editedAt, agent_name } = row
    return ok({
      content: body?.content ?? null,
      cited,
      editedAt,
      agentName: agent_name ?? '',
      audio,
    })
  }

  /** In the place of what the voice said before, unless the message has other words by now or is gone. */
  async keep(
    { caller, keys }: Visit,
    messageId: string,
    voice: string,
    editedAt: number | null,
    audio: Uint8Array,
  ): Promise<Answer<null>> {
    const core = this.#core
    const { messages, attachments } = core.stores
    const now = Date.now()
    const id = core.mint(now)
    const { sealed, wrappedKey } = await keys.sealAttachment(id, new Uint8Array(audio))
    const nameSealed = await keys.seal('attachments', 'name', id, 'speech.mp3')
    await core.putFile(attachmentPath(caller.address, id), sealed)
    const gone = core.storage.transactionSync(() => {
      const row = messages.find(messageId)
      if (core.isClosed || !row || row.edited_at !== editedAt) return id
      const before = attachments.speech(messageId, voice)
      if (before) attachments.remove(before.id)
      attachments.add({
        id,
        sessionId: row.session_id,
        messageId,
        mime: 'audio/mpeg',
        nameSealed,
        size: audio.length,
        wrappedKey,
        now,
        voice,
      })
      return before?.id
    })
    if (gone) await deleteFiles(core.env.FILES, [attachmentPath(caller.address, gone)])
    return ok(null)
  }
}
