import { localize } from '../agents/localize'
import { phrase } from './phrases'
import type { Exit, Turn } from './steps/step'

/** What is said where nothing that was found answers: that nothing does, unless a base could not be asked. */
export function nothingFound({ lang, request, searchFailed }: Turn): Exit {
  if (searchFailed) return { reply: phrase('search_failed', lang), finishReason: 'error' }
  const { noMatchReply } = localize(request.agent.config, lang)
  return { reply: noMatchReply ?? phrase('no_match', lang), finishReason: 'no_match' }
}
