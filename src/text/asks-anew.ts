import { loadOnce } from '../language/load-once'
import { loadWishesList } from '../lazy'
import { foldText } from './fold'

const MAX_LENGTH = 80

const late = loadOnce(loadWishesList)

/** To be awaited before a message is read. */
export const loadWishes = late.load

/**
 * Whether a message wants the answer before it in another form ("shorter, please", "in Spanish", "as a list"), doubts it or
 * did not understand it, and asks nothing else. Null as long as the wishes are not loaded.
 */
export function asksAnew(message: string): boolean | null {
  if (message.length > MAX_LENGTH) return false
  const wishes = late.get()
  if (wishes === null) return null
  const plain = foldText(message.replaceAll('’', "'"))
    .replaceAll(/[^\p{L}\p{M}\p{N}'-]+/gu, ' ')
    .trim()
  return plain !== '' && wishes.isWish(plain)
}
