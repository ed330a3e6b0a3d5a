import type { Language } from '../../config/names'
import { isUnseen } from '../../text/unseen'
import { pickLanguage } from '../../wire/accept-language'
import type { FileRef, Inbound } from '../channel'

const COMMAND = /^\/(start|new|stop|help)(?:@\w+)?(?:\s+(.*))?$/su
const IMAGE_TYPES = /^image\/(?:png|jpeg|webp|gif)$/
/** Files that are not read here; a caption alone would be answered as if they had been. */
const FILES = ['animation', 'audio', 'document', 'paid_media', 'video', 'video_note', 'voice']
/** What the app notes in a private chat by itself; nobody said it. */
const NOTES = [
  'chat_background_set',
  'message_auto_delete_timer_changed',
  'pinned_message',
  'write_access_allowed',
]
const KINDS = { new: 'new', stop: 'unlink', help: 'help' } as const

type Fields = Record<string, unknown>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What an update of the Bot API says. Only private chats with people are listened to. */
export function readUpdate(body: unknown): Inbound | null {
  const update = fieldsOf(body)
  const seq = update.update_id
  if (!Number.isSafeInteger(seq)) return null
  const member = fieldsOf(update.my_chat_member)
  if (update.my_chat_member !== undefined) return readMembership(member)
  const message = fieldsOf(update.message)
  const chat = privateChat(message)
  const from = fieldsOf(message.from)
  if (chat === null || from.is_bot === true) return null
  const lang = pickLanguage(textOf(from.language_code))
  const text = textOf(message.text) || textOf(message.caption)
  return (
    readCommand(text, chat, lang) ??
    readMessage(message, { chat, lang, seq: seq as number, text: text.trim() })
  )
}

/** Chats are known by whole numbers; anything else is not one. */
function privateChat(message: Fields): string | null {
  const { id, type } = fieldsOf(message.chat)
  return type === 'private' && Number.isSafeInteger(id) ? String(id) : null
}

function readMembership(member: Fields): Inbound | null {
  const chat = privateChat(member)
  const status = fieldsOf(member.new_chat_member).status
  return chat !== null && status === 'kicked' ? { kind: 'blocked', chat } : null
}

function readCommand(text: string, chat: string, lang: Language): Inbound | null {
  const match = COMMAND.exec(text.trim())
  if (!match) return null
  const [, command = '', argument = ''] = match
  if (command === 'start') return { kind: 'start', chat, lang, code: argument.trim() }
  return { kind: KINDS[command as keyof typeof KINDS], chat, lang }
}

function readMessage(
  message: Fields,
  { chat, lang, seq, text }: { chat: string; lang: Language; seq: number; text: string },
): Inbound | null {
  const has = (name: string) => message[name] !== undefined
  if (NOTES.some(has)) return null
  const voice = fileRef(fieldsOf(message.voice))
  if (voice !== null) return { kind: 'message', chat, lang, seq, text, images: [], voice }
  const image = largestPhoto(message.photo) ?? imageDocument(message.document)
  if (image === null && (isUnseen(text) || FILES.some(has)))
    return { kind: 'unreadable', chat, lang }
  return { kind: 'message', chat, lang, seq, text, images: image === null ? [] : [image] }
}

/** A photo comes in several sizes, smallest first. */
function largestPhoto(photo: unknown): FileRef | null {
  return Array.isArray(photo) ? fileRef(fieldsOf(photo.at(-1))) : null
}

function imageDocument(value: unknown): FileRef | null {
  const document = fieldsOf(value)
  return IMAGE_TYPES.test(textOf(document.mime_type)) ? fileRef(document) : null
}

function fileRef({ file_id, file_size }: Fields): FileRef | null {
  const id = textOf(file_id)
  if (id === '' || id.length > 512) return null
  return { id, size: Number.isSafeInteger(file_size) ? (file_size as number) : null }
}
