import { thinkingRoom } from '../models/steer-thinking'
import { fence } from '../text/fence'
import type { GenerateEvent, GenerateInput } from './generate'

export type Finish = Pick<Extract<GenerateEvent, { type: 'finish' }>, 'reason' | 'ran'>

/**
 * The call to make once more when nothing came: without thinking, and with nothing to call where something was called
 * already, so that nothing is done twice.
 */
export function askAgain(call: GenerateInput, { ran }: Finish): GenerateInput {
  const model = call.stepModel() ?? call.model
  const maxOutputTokens = call.maxOutputTokens + thinkingRoom(model.info)
  const again = { ...call, model, maxOutputTokens, reasoning: false }
  if (ran.length === 0) return again
  return { ...again, messages: [...call.messages, ...ran], tools: {}, forceTool: null }
}

const MOST_NAMED = 12

/** The same call, without thinking or doing anything twice, after the reply that fell and why it did. */
export function askRepair(
  call: GenerateInput,
  finish: Finish,
  said: string,
  fallen: readonly string[],
  nonce: string,
): GenerateInput {
  const named = fallen.slice(0, MOST_NAMED).map((text) => ({ n: null, label: 'sentence', text }))
  const fault =
    named.length === 0
      ? 'it has no sentence beside its marks.'
      : `the sources prove none of these sentences.\n${fence(named, nonce, 1_000)}`
  const reason = `Your reply was not shown: ${fault}
Answer the same question once more. Say only what the sources say, as near to their words as you can, and behind each sentence put its mark with an exact quote from that source. Do not speak of this correction.`
  const again = askAgain(call, finish)
  return {
    ...again,
    messages: [
      ...again.messages,
      { role: 'assistant', content: said },
      { role: 'user', content: reason },
    ],
  }
}
