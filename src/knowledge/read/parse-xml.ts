import { Parser } from 'htmlparser2'
import { ARCHIVE_LIMITS } from '../../config/limits'
import { ReadRefusal } from './read-refusal'

export type XmlAttributes = Readonly<Record<string, string>>

/** Elements come by local name (`w:p` is `p`), attributes by their full one. */
export interface XmlHandler {
  open?(name: string, attributes: XmlAttributes): void
  close?(name: string): void
  text?(text: string): void
}

/**
 * Runs through an XML part and reports its elements. Refuses any DOCTYPE or other declaration, so that no entity can be
 * defined, and elements nested more than 100 deep. Throws `ReadRefusal`.
 */
export function parseXml(bytes: Uint8Array, handler: XmlHandler): void {
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        if (depth > ARCHIVE_LIMITS.xmlDepth) {
          throw new ReadRefusal(
            `The document nests its elements more than ${ARCHIVE_LIMITS.xmlDepth} deep.`,
          )
        }
        handler.open?.(getLocalName(name), attributes)
      },
      onclosetag(name) {
        depth -= 1
        handler.close?.(getLocalName(name))
      },
      ontext: (text) => handler.text?.(text),
      onprocessinginstruction(name) {
        if (name.startsWith('!')) {
          throw new ReadRefusal(
            'The document declares entities or a DOCTYPE, which is not allowed.',
          )
        }
      },
    },
    { xmlMode: true },
  )
  parser.end(decodeXml(bytes))
}

/** XML is UTF-8 unless a mark says UTF-16. */
function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new ReadRefusal('The document is damaged: a part of it is not valid text.')
  }
}

function getLocalName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}
