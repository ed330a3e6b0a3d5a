import { cutText } from './cut'

/**
 * Parts of a prompt stand between lines such as `<<SOUL>>` and `<<END SOUL>>`. Data is fenced with a random code (`fence`);
 * what others wrote as words, not as data (a tenant's soul, a user's message), holds no such line once `unframe` read it.
 */
export function framed(name: FrameName, text: string): string {
  return `<<${name}>>\n${text}\n<<END ${name}>>`
}

const FRAMES = [
  'RULES',
  'SOUL',
  'TASK',
  'GUIDANCE',
  'SKILLS',
  'ORGANISATION',
  'STORYLINE',
  'NOTES',
  'MESSAGE',
] as const
export type FrameName = (typeof FRAMES)[number]

const GAP = String.raw`[\s\p{Default_Ignorable_Code_Point}]`
/** `<<RULES>>`, `<<END NOTES a1b2>>`, and how data begins and ends; not `cout << message << endl` or a here-document. */
const MARKER = new RegExp(
  String.raw`<${GAP}{0,8}<(?=${GAP}{0,8}(?:(?:END${GAP}{1,8})?(?:${FRAMES.join('|')})(?:${GAP}{1,8}\w{1,64})?${GAP}{0,8}>|(?:DATA|END)${GAP}{1,8}\w))`,
  'giu',
)

/** The text with the angle brackets of such a line in their full-width form: it can neither open nor close a part. */
export function unframe(text: string): string {
  return text.replaceAll(MARKER, '＜＜')
}

/** The same on one line, cut: for a name, an address or a description. */
export function unframeLine(text: string, maxChars: number): string {
  const line = unframe(text.replaceAll(/\s+/gu, ' ').trim())
  return line.length <= maxChars ? line : `${cutText(line, maxChars)}…`
}
