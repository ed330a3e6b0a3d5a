import type { Chat } from '../chat'
import type { Entry, ReplyEntry } from '../model/chat'
import { entriesOfMessages } from '../net/listed-messages'
import { isSaid, merge, type Said } from './merge'

/** Makes an answer anew: both stay. False when the one that was there stays alone. */
export async function answerAgain(chat: Chat, reply: ReplyEntry): Promise<boolean> {
  const { entries } = chat.state
  const at = entries.indexOf(reply)
  const user = entries[at - 1]
  if (user?.kind !== 'user' || reply.messageId === null) return false
  await chat.askAgain(reply.messageId, entries.slice(0, at - 1), user)
  if (hasFailed(chat)) {
    chat.rewrite(entries)
    return false
  }
  return reread(chat)
}

/** Asks an own message in other words; what came after it leaves the conversation. */
export async function editMessage(chat: Chat, key: string, text: string): Promise<boolean> {
  const id = await idOf(chat, key)
  const { entries } = chat.state
  const at = entries.findIndex((entry) => entry.key === key)
  const user = entries[at]
  if (id === null || user?.kind !== 'user') return false
  await chat.askAgain(id, entries.slice(0, at), { ...user, text, messageId: id, at: Date.now() })
  const reply = chat.state.entries.at(-1)
  // The server did not take it: all is as it was.
  if (hasFailed(chat) && reply?.kind === 'reply' && reply.messageId === null) {
    chat.rewrite(entries)
    return false
  }
  return reread(chat)
}

/** Shows another version of what was said, and what followed it. */
export async function chooseVersion(chat: Chat, entry: Said, version: string): Promise<boolean> {
  const { messageId } = entry
  if (!messageId || !(await call(chat, 'PATCH', `/${messageId}`, { active: version }))) return false
  return reread(chat)
}

export async function removeMessage(chat: Chat, key: string): Promise<boolean> {
  const id = await idOf(chat, key)
  if (id === null || !(await call(chat, 'DELETE', `/${id}`))) return false
  return reread(chat)
}

/** Goes on in a new chat as before the message, whose words wait to be sent. */
export async function branchAt(chat: Chat, key: string): Promise<boolean> {
  const id = await idOf(chat, key)
  const made = id === null ? null : await call(chat, 'POST', `/${id}/branch`)
  const branch = (await made?.json().catch(() => null)) as { id?: string; prefill?: string } | null
  if (!branch?.id) return false
  const entries = await fetchSaid(chat, branch.id)
  if (entries === null || !chat.open(branch.id, entries)) return false
  fillComposer(branch.prefill ?? '')
  return true
}

/** Where the next words are written. */
export function fillComposer(words: string | null): void {
  const field = document.querySelector<HTMLTextAreaElement>('.composer textarea')
  if (words !== null && field) {
    field.value = words
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  field?.focus()
}

const hasFailed = ({ state: { entries } }: Chat): boolean => {
  const last = entries.at(-1)
  return last?.kind !== 'reply' || last.state === 'failed'
}

/** A message that was just sent is known by its answer. */
async function idOf(chat: Chat, key: string): Promise<string | null> {
  const find = () => chat.state.entries.find((entry) => entry.key === key)
  const known = find()
  if (isSaid(known) && known.messageId) return known.messageId
  await reread(chat)
  const found = find()
  return (isSaid(found) && found.messageId) || null
}

/** Takes over what the server has of the conversation. */
async function reread(chat: Chat): Promise<boolean> {
  const { sessionId } = chat.state
  const stored = sessionId === null ? null : await fetchSaid(chat, sessionId)
  if (stored === null) return false
  chat.rewrite(merge(chat.state.entries, stored))
  return true
}

async function fetchSaid(chat: Chat, sessionId: string): Promise<Entry[] | null> {
  const response = await request(chat, 'GET', `/me/sessions/${sessionId}/messages`)
  return response && entriesOfMessages(await response.json().catch(() => null))
}

const call = (chat: Chat, method: string, path: string, body?: object): Promise<Response | null> =>
  request(chat, method, `/me/sessions/${chat.state.sessionId}/messages${path}`, body)

/** Null where the server refused it or was not reached. */
async function request(
  { token }: Chat,
  method: string,
  path: string,
  body?: object,
): Promise<Response | null> {
  const response = await fetch(path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    },
    body: body ? JSON.stringify(body) : null,
  }).catch(() => null)
  return response?.ok ? response : null
}
