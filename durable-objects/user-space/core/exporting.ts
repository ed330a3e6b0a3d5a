import { type Answer, ok } from '../../../src/spaces/answer'
import { type MovablePart, type PartRow, partOf } from '../../../src/spaces/movable-parts'
import { readOriginal } from '../documents/read-original'
import { readBytes } from '../sessions/read-bytes'
import type { SpaceCore } from './space-core'
import type { SpaceKeys } from './space-keys'
import type { Visit } from './visit'

/** A row with the columns that were asked for; `name_sealed` is there as `name`, opened, null where it does not open. */
export type OpenRow = Record<string, string | number | null>

export interface OpenRows {
  rows: OpenRow[]
  /** The key of the last one, for those after it; null when there is none. */
  after: PartRow | null
}

/** What a space holds of its user, row by row and file by file, for the archive that they take away. */
export class Exporting {
  readonly #core: SpaceCore

  constructor(core: SpaceCore) {
    this.#core = core
  }

  /** The next rows of a table, as many as one step of a merge takes. */
  async rows(
    { keys }: Visit,
    table: string,
    columns: readonly string[],
    after: PartRow | null,
  ): Promise<Answer<OpenRows>> {
    const part = partOf(table)
    const rows = this.#core.stores.moving.read(part, after)
    const last = rows.at(-1)
    return ok({
      rows: await Promise.all(rows.map((row) => openRow(keys, part, row, columns))),
      after: last
        ? Object.fromEntries(part.key.map((column) => [column, last[column] ?? null]))
        : null,
    })
  }

  /** The bytes of an image or of a document's original; null when they are gone or do not open. */
  async file(
    { caller, keys }: Visit,
    table: 'attachments' | 'space_documents',
    id: string,
  ): Promise<Answer<Uint8Array | null>> {
    const { env, stores } = this.#core
    if (table === 'attachments') {
      const image = stores.attachments.get(id)
      return ok(image ? await readBytes(env, keys, caller.address, image) : null)
    }
    const row = stores.documents.get(id)
    const original = row && (await readOriginal(env.FILES, caller.address, keys, row))
    return ok(original?.bytes ?? null)
  }
}

async function openRow(
  keys: SpaceKeys,
  part: MovablePart,
  row: PartRow,
  columns: readonly string[],
): Promise<OpenRow> {
  const name = part.sealedRow(row)
  const open = async (column: string) => {
    const value = row[column] ?? null
    if (value instanceof ArrayBuffer) return null
    const sealed = part.sealed.find((one) => one.column === column)
    if (!sealed || typeof value !== 'string') return value
    return keys.read(part.table, sealed.name, name, value)
  }
  const fields = columns.map(
    async (column) => [column.replace(/_sealed$/, ''), await open(column)] as const,
  )
  return Object.fromEntries(await Promise.all(fields))
}
