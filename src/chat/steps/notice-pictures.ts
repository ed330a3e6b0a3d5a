import { phrase } from '../phrases'
import type { Step } from './step'

/** A model that sees no pictures says so: before its answer, or instead of one where there are no words to answer. */
export const noticePictures: Step = (turn) => {
  const { images, message } = turn.request
  if (images.length === 0 || turn.model.info.vision) return null
  if (message.trim() === '')
    return { reply: phrase('images_unseen', turn.lang), finishReason: 'stop' }
  turn.preface = `${phrase('images_left_out', turn.lang)}\n\n`
  return null
}
