import { ARCHIVE_LIMITS, KIB, MIB } from '../../config/limits'
import { type ArchiveEntry, openArchive, readEntry } from '../../platform/uploads/read-archive'
import { parseXml } from './parse-xml'
import { ReadRefusal } from './read-refusal'

export interface Relationship {
  id: string
  /** The last segment of the type's address, e.g. `slide` or `styles`. */
  type: string
  /** Path of the part inside the package. */
  target: string
}

/** What reading a part counts for beside its bytes. */
const READING = KIB

/** The parts of an Office Open XML file, unpacked one by one under the archive limits. Throws `ReadRefusal`. */
export class OfficePackage {
  readonly #bytes: Uint8Array
  readonly #entries = new Map<string, ArchiveEntry>()
  readonly #refused = new Map<string, string>()
  #read = 0

  constructor(bytes: Uint8Array) {
    const opened = openArchive(bytes)
    if (!opened.ok) throw new ReadRefusal(opened.reason)
    this.#bytes = bytes
    // Part names do not distinguish upper and lower case.
    for (const entry of opened.entries) this.#entries.set(entry.path.toLowerCase(), entry)
    for (const { path, reason } of opened.skipped) this.#refused.set(path.toLowerCase(), reason)
  }

  /** A part's bytes, null when the package has no such part. One that is shown over and over counts each time. */
  read(path: string): Uint8Array | null {
    const name = path.toLowerCase()
    const refused = this.#refused.get(name)
    if (refused) throw new ReadRefusal(`A part of the document was refused. ${refused}`)
    const entry = this.#entries.get(name)
    if (!entry) return null
    this.#read += entry.size + READING
    if (this.#read > ARCHIVE_LIMITS.totalBytes) {
      throw new ReadRefusal(
        `The document unpacks to more than ${ARCHIVE_LIMITS.totalBytes / MIB} MiB. Split it up.`,
      )
    }
    const content = readEntry(this.#bytes, entry)
    if (!content.ok) throw new ReadRefusal(`The document is damaged. ${content.reason}`)
    return content.bytes
  }

  /** The part a document starts with: the package's main relationship, else the usual place. */
  findMain(usual: string): string {
    const main = this.relationships('').find(({ type }) => type === 'officeDocument')
    return main && this.#entries.has(main.target.toLowerCase()) ? main.target : usual
  }

  /** What a part refers to inside the package, in the order written. The empty path stands for the package itself. */
  relationships(path: string): Relationship[] {
    const slash = path.lastIndexOf('/')
    const folder = path.slice(0, slash + 1)
    const bytes = this.read(`${folder}_rels/${path.slice(slash + 1)}.rels`)
    const found: Relationship[] = []
    if (!bytes) return found
    parseXml(bytes, {
      open(name, attributes) {
        const { Id: id, Type: type = '', Target: target } = attributes
        if (name !== 'Relationship' || !id || !target) return
        if (attributes.TargetMode === 'External') return
        found.push({
          id,
          type: type.slice(type.lastIndexOf('/') + 1),
          target: resolvePath(folder, target),
        })
      },
    })
    return found
  }
}

function resolvePath(folder: string, target: string): string {
  const segments: string[] = []
  for (const segment of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}
