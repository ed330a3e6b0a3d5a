/** A line that is bold from end to end; nothing bold ends inside it. */
const BOLD_LINE =
  /^[ \t]*(?:\*\*(?![\s*])((?:(?!\*\*).){1,160})\*\*|__(?![\s_])((?:(?!__).){1,160})__)[ \t]*$/u
const LEADS_IN = /[:：]$/u
const STOP = /[.。]$/u
const ENDS_SENTENCE = /[.!。！]$/u

/** Running text as it is written, or the name of what follows it. */
export interface Part {
  kind: 'heading' | 'text'
  source: string
}

/**
 * Cuts a paragraph at the lines that people who know no headings make bold instead: "**Where is my order?**", the answer below. A
 * bold statement is a heading only where it stands right above its text and such lines are a habit of the document.
 *
 * @param goesOn whether text, a list, a table or code follows the paragraph
 */
export function cutAtBoldLines(source: string, goesOn: boolean, isHabit: boolean): Part[] {
  const lines = source.split('\n')
  const passages: Part[] = []
  for (const [at, line] of lines.entries()) {
    const name = boldName(line)
    const below = lines[at + 1]
    const isFollowed = below === undefined ? goesOn : boldName(below) === null
    const isStatement = name !== null && ENDS_SENTENCE.test(name)
    if (name !== null && isFollowed && (!isStatement || (isHabit && below !== undefined)))
      // Without its stop a symptom reads as a heading in the text of a chunk too.
      passages.push({ kind: 'heading', source: name.replace(STOP, '') })
    else if (passages.at(-1)?.kind === 'text') (passages.at(-1) as Part).source += `\n${line}`
    else passages.push({ kind: 'text', source: line })
  }
  return passages
}

/** Whether a paragraph begins with a bold line. */
export const opensBold = (source: string): boolean =>
  boldName(source.split('\n', 1)[0] ?? '') !== null

function boldName(line: string): string | null {
  const [, stars, lines] = BOLD_LINE.exec(line) ?? []
  const name = (stars ?? lines)?.trim() ?? ''
  return name === '' || LEADS_IN.test(name) ? null : name
}
