import { isKnown } from './mend-typos'
import { readerFor } from './question-reader'
import { slips } from './slips'

const MAX_LENGTH = 300

/**
 * What a message says in Russian that was typed with the keyboard left on Latin ("ghbdtn"), or spelt in Latin letters ("kak
 * udalit"); null of any other, and as long as the thesaurus is not loaded.
 */
export function inRussian(message: string): string | null {
  const reading = slips()
  if (reading === null || message.length > MAX_LENGTH || /\P{ASCII}/u.test(message)) return null
  const reader = readerFor('', 'ru')
  return reading.readRussian(message, {
    isSmall: (word) => reader.dropped.has(word),
    isKnown: (word) => isKnown(word, reader),
  })
}
