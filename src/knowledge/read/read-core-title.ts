import type { OfficePackage } from './office-package'
import { parseXml } from './parse-xml'

/** Names that programs put into the title field by themselves. */
const MEANINGLESS =
  /^(?:untitled|microsoft (?:word|powerpoint|excel)\b.*|powerpoint presentation|presentation|document\d*|\S+\.(?:docx?|pptx?|xlsx?|indd|tex))$/i

/** The title among an Office file's properties, null when there is none worth showing. */
export function readCoreTitle(office: OfficePackage): string | null {
  const core = office.relationships('').find(({ type }) => type === 'core-properties')
  const bytes = core ? office.read(core.target) : null
  if (!bytes) return null
  let inTitle = false
  let title = ''
  parseXml(bytes, {
    open(name) {
      inTitle = name === 'title'
    },
    close() {
      inTitle = false
    },
    text(text) {
      if (inTitle) title += text
    },
  })
  return cleanTitle(title)
}

/** A title property without what programs fill in by themselves; null when nothing is left. */
export function cleanTitle(title: string): string | null {
  const trimmed = title.trim()
  return trimmed === '' || MEANINGLESS.test(trimmed) ? null : trimmed
}
