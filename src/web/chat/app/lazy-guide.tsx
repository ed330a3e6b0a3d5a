import type { ReplyEntry } from '../model/chat'
import { useChatState } from '../ui/context'
import { useModule } from './use-module'

/** What leads through the conversation; its code is fetched once something does, and again where there was no connection. */
const useGuide = (attempt: unknown) => useModule(() => import('../guide/guide'), attempt)

export function LazyGuide() {
  const { storyline, entries } = useChatState()
  const last = entries.findLast((entry) => entry.kind === 'reply')
  const leads = storyline !== null || byPerson(last?.finishReason ?? null)
  const module = useGuide(leads && entries.length)
  return leads && module ? <module.Guide /> : null
}

/** Beside a reply, where a person wrote it. */
export function SaidBy({ reply }: { reply: ReplyEntry }) {
  const module = useGuide(reply.finishReason === 'staff')
  return module && <module.SaidByPerson />
}

const byPerson = (reason: string | null): boolean => reason === 'handoff' || reason === 'staff'
