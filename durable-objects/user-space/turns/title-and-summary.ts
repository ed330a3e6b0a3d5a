import { readTitle } from '../../../src/sessions/read-title'
import { cutText } from '../../../src/text/cut'
import { type BackgroundContext, callModel } from '../core/background-call'
import type { SpaceKeys } from '../core/space-keys'
import type { Stores } from '../core/stores'
import { heldTalk } from '../sessions/held-talk'
import type { OpenMessage } from '../sessions/message-store'
import type { SessionRow } from '../sessions/session-row'

const TITLE_TOKENS = 40
const TITLE_CHARS = 80
const SUMMARY_TOKENS = 400
const SUMMARY_BATCH = 40
const SUMMARY_LEAST = 4
/** A summary tells of this share of the history too, so that a long talk needs one in five exchanges and not in two. */
const SUMMARY_AHEAD = 0.3

/** Whether a session that has one reply more is to be given a title or a new summary. */
export function wantsWords(stores: Stores, session: SessionRow, historyWindow: number): boolean {
  if (session.title_sealed === null && session.title_by_user === 0) return true
  if (historyWindow === 0) return false
  const least = historyWindow + SUMMARY_LEAST
  return stores.messages.countAfter(session.id, session.summary_upto, least) + 1 >= least
}

interface TurnWork extends BackgroundContext {
  stores: Stores
  keys: SpaceKeys
}

/** A title for a session that has none, and a rolling summary of what no longer fits its history. Safe to run twice. */
export async function writeTitleAndSummary(
  ctx: TurnWork,
  sessionId: string,
  messageId: string,
  historyWindow: number,
): Promise<void> {
  const session = ctx.stores.sessions.get(sessionId)
  if (!session) return
  if (session.title_sealed === null && session.title_by_user === 0)
    await writeTitle(ctx, session, messageId)
  // A stateless agent has no history, so nothing leaves it.
  if (historyWindow > 0) await writeSummary(ctx, session, messageId, historyWindow)
}

async function writeTitle(ctx: TurnWork, session: SessionRow, messageId: string): Promise<void> {
  const messages = await ctx.stores.messages.lastOpened(ctx.keys, session.id, 4)
  const first = heldTalk(messages).find((message) => message.role === 'user')
  if (!first || first.content.trim() === '') return
  const answer = await callModel(ctx, {
    id: `${messageId}:title`,
    agentId: session.agent_id,
    kind: 'title',
    task: 'title',
    order:
      'Write a title of at most six words for the conversation that starts like this, in its language. Answer with the title alone.',
    text: first.content,
    maxTokens: TITLE_TOKENS,
  })
  if (!answer.ok) return
  const title = cutText(readTitle(answer.text), TITLE_CHARS)
  if (title)
    ctx.stores.sessions.setTitle(
      session.id,
      await ctx.keys.seal('sessions', 'title', session.id, title),
    )
}

/** Folds messages that left the agent's history into the summary, with some that are about to. */
async function writeSummary(
  ctx: TurnWork,
  session: SessionRow,
  messageId: string,
  historyWindow: number,
): Promise<void> {
  if (session.message_count <= historyWindow) return
  const began = Date.now()
  const read = historyWindow + SUMMARY_BATCH
  const messages = await ctx.stores.messages.lastOpened(ctx.keys, session.id, read)
  const old = findLeaving(messages, session.summary_upto, historyWindow)
  const last = old.at(-1)
  if (!last) return
  const before =
    session.summary_sealed === null
      ? ''
      : ((await ctx.keys.read('sessions', 'summary', session.id, session.summary_sealed)) ?? '')
  const answer = await callModel(ctx, {
    id: `${messageId}:summary`,
    agentId: session.agent_id,
    kind: 'memory',
    task: 'summary',
    order:
      'Summarise this conversation in its language, at most 150 words: facts, decisions, open questions. Answer with the summary alone.',
    text: `${before}\n${heldTalk(old).map(asLine).join('\n')}`,
    maxTokens: SUMMARY_TOKENS,
  })
  // What was taken back or put otherwise meanwhile is not told after all.
  if (answer.ok && answer.text && isAsRead(ctx.stores, session, old, began))
    ctx.stores.sessions.setSummary(
      session.id,
      await ctx.keys.seal('sessions', 'summary', session.id, answer.text),
      last.id,
    )
}

function isAsRead(
  { messages, sessions }: Stores,
  { id, summary_upto }: SessionRow,
  told: readonly OpenMessage[],
  since: number,
): boolean {
  if (sessions.get(id)?.summary_upto !== summary_upto) return false
  return told.every((message) => {
    const row = messages.get(id, message.id)
    return row?.left_with === null && (row.edited_at ?? 0) < since
  })
}

/**
 * What a new summary tells beside the one that is there; nothing while too little has left the history.
 * @param told the last message that a summary tells of
 */
export function findLeaving<M extends { id: string }>(
  messages: readonly M[],
  told: string | null,
  historyWindow: number,
): M[] {
  const open = messages.filter(({ id }) => told === null || id > told)
  if (open.length < historyWindow + SUMMARY_LEAST) return []
  return open.slice(0, Math.floor(historyWindow * SUMMARY_AHEAD) - historyWindow)
}

const asLine = (message: OpenMessage) => `${message.role}: ${message.content}`
