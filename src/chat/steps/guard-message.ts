import { refusal, scanUserMessage } from '../guard'
import type { Step } from './step'

/** A message that tries to take the agent over is refused. */
export const guardMessage: Step = ({ request, lang }) =>
  request.agent.config.injection_guard && scanUserMessage(request.message)
    ? { reply: refusal(lang), finishReason: 'guard' }
    : null
