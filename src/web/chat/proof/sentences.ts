/** Letters and digits of a text, with the place of each: what Markdown shows as it was written. */
export interface BareText {
  text: string
  at: number[]
}

export function bareText(text: string): BareText {
  const bare: BareText = { text: '', at: [] }
  for (const { 0: character, index } of text.matchAll(/[\p{L}\p{N}]/gu)) {
    bare.text += character
    for (let unit = 0; unit < character.length; unit++) bare.at.push(index + unit)
  }
  return bare
}

/** What a reply's Markdown does not show: the language of code, addresses of links, marks, and signs before a line. */
const UNSHOWN =
  /```\w*|\]\([^()\s]*(?:\s+"[^"]*")?\)|\[\d{1,3}\](?!\()|^[ \t]*(?:\d+[.)]|[-*+>#]+)[ \t]/gm

/** How far what is shown may be out of step with the reply before a sentence is looked for. */
const SLACK = 64

/** Where the shown letters hold a sentence of the reply, as positions in them; null where they do not. */
export function findSentence(
  reply: string,
  sentence: { start: number; end: number },
  shown: string,
): { from: number; to: number } | null {
  const plain = reply.replace(UNSHOWN, (signs) => ' '.repeat(signs.length))
  const wanted = bareText(plain.slice(sentence.start, sentence.end)).text
  if (wanted === '') return null
  const before = bareText(plain.slice(0, sentence.start)).text.length
  const near = shown.indexOf(wanted, Math.max(0, before - SLACK))
  const from = near < 0 ? shown.indexOf(wanted) : near
  return from < 0 ? null : { from, to: from + wanted.length }
}
