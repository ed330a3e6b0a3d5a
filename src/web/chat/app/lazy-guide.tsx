import { useEffect, useState } from 'preact/hooks'
import type { ReplyEntry } from '../model/chat'
import { useChatState } from '../ui/context'

type Module = typeof import('../guide/guide')

/** What leads through the conversation; its code is fetched once something does, and again where there was no connection. */
function useGuide(attempt: unknown): Module | null {
  const [module, setModule] = useState<Module | null>(null)
  useEffect(() => {
    if (attempt !== false) import('../guide/guide').then(setModule, () => undefined)
  }, [attempt])
  return module
}

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
