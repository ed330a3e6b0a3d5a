import { cutText } from '../../text/cut'

const NAME_LENGTH = 200

/** Signs that turn the direction of what follows: a name with one shows another end than it has. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu

/** The last part of a client's file name: a label, never a path on anything of ours. A long one keeps its extension. */
export function fileName(name: string): string {
  const last =
    name.split(/[\\/]/).at(-1)?.normalize('NFC').replaceAll(TURNS, '').trim() || 'document'
  if (last.length <= NAME_LENGTH) return last
  const end = /\.[a-z]{1,8}$/i.exec(last)?.[0] ?? ''
  return `${cutText(last, NAME_LENGTH - end.length).trim()}${end}`
}

/** The name of a text that was written here, out of its title. */
export const textName = (title: string): string =>
  `${title
    .normalize('NFC')
    .replaceAll(TURNS, '')
    .replaceAll(/[\\/\p{Cc}]/gu, ' ')
    .trim()}.txt`
