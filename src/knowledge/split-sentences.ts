const BOUNDARY =
  /(?<=[。！？!?…؟।]["'”’»」』）)]*)(?=.)|(?<=[.][”’"')»]*)\s+(?=[\p{Lu}\p{N}\p{Lo}"“«¿¡(])|\n+/u

/** Sentences of a passage, roughly: good enough to compare them with a question, not to quote them. */
export function splitSentences(text: string): string[] {
  return text.split(BOUNDARY).filter((sentence) => sentence.trim() !== '')
}
