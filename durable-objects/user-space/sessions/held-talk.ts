import type { OpenMessage } from './message-store'

/**
 * Of a talk what a model may be told: without exchanges that failed, and without those that were refused, whose words would
 * reach it after all with the next question.
 */
export function heldTalk<M extends Pick<OpenMessage, 'status' | 'refused' | 'content'>>(
  messages: readonly M[],
): M[] {
  return messages.filter(
    (message, index) => isHeld(message) && isHeld(messages[index + 1]) && message.content !== '',
  )
}

const isHeld = (message: Pick<OpenMessage, 'status' | 'refused'> | undefined): boolean =>
  message === undefined || (message.status !== 'failed' && !message.refused)
