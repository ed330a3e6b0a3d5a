import { phrase } from '../phrases'
import type { Step, Turn } from './step'

/** A model that sees no pictures says so: before its answer, or instead of one where there are no words to answer. */
export const noticePictures: Step = (turn) => {
  const { images } = turn.request
  if (images.length === 0 || turn.model.info.vision) return null
  return tellUnseen(turn)
    ? null
    : { reply: phrase('images_unseen', turn.lang), finishReason: 'stop' }
}

/** The words alone are answered, and the reply begins with that. False where there are none. */
export function tellUnseen(turn: Turn): boolean {
  if (turn.request.message.trim() === '') return false
  turn.preface = `${phrase('images_left_out', turn.lang)}\n\n`
  return true
}
