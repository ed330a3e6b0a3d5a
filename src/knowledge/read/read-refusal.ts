import { DOCUMENT_LIMITS } from '../../config/limits'

/** Thrown by readers when a file cannot become a document; `readDocument` turns it into its `reason`. */
export class ReadRefusal extends Error {}

/**
 * Refuses more text than a document may hold. Readers that hold text back before they write it down call it as they go, so that a
 * small file which repeats a large text cannot fill the memory. Throws `ReadRefusal`.
 */
export function checkLength(characters: number): void {
  if (characters > DOCUMENT_LIMITS.textLength) {
    throw new ReadRefusal(
      `The document holds more than ${DOCUMENT_LIMITS.textLength.toLocaleString('en')} characters of text. Split it into smaller files.`,
    )
  }
}
