import type { OpenRows } from '../../durable-objects/user-space/core/exporting'
import { EXPORTS } from '../config/limits'
import { utf8 } from '../platform/crypto/bytes'
import type { PartRow } from '../spaces/movable-parts'
import { type ExportPlace, placeAt } from './place'
import { EXPORTED, type ExportedTable, type ExportRules, showRow } from './what'
import { archiveBytes, ZipPart } from './zip'

type SpaceOf = ExportPlace['spaces'][number]

/** What a part is made of. A space that was deleted since answers null. */
export interface ExportReader {
  rows(
    space: SpaceOf,
    table: string,
    columns: readonly string[],
    after: PartRow | null,
  ): Promise<OpenRows | null>
  file(
    space: SpaceOf,
    table: NonNullable<ExportedTable['hasFiles']>,
    id: string,
  ): Promise<Uint8Array | null>
}

interface Step {
  what: ExportedTable
  /** The bytes that its rows stand for, instead of the rows. */
  isFiles: boolean
}

const STEPS: readonly Step[] = EXPORTED.flatMap((what) => [
  { what, isFiles: false },
  ...(what.hasFiles ? [{ what, isFiles: true }] : []),
])

/** A part as it is stored, and where the next one begins; null after the last. */
export interface FilledPart {
  bytes: Uint8Array<ArrayBuffer>
  files: number
  /** What the archive grows by. */
  size: number
  next: ExportPlace | null
}

const README = `This archive holds what is kept of you.

account.json     who you are here, and your spaces
spaces/ID/       what one space holds, as JSON:
  sessions-N     your conversations
  messages-N     what was said in them, with the sources of the answers and your feedback
  attachments-N  pictures you sent, answers read aloud; the files are in files/
  memories-N     what was learnt of you, and
  remembered-N   how each assistant puts it
  reminders-N    reminders and messages that were to come later
  storylines-N   what you were led through, and what was noted
  handoffs-N     when a person was asked for
  documents-N    the documents that you uploaded; the files are in files/

Times are in UTC.
`

/** The account, and a word on what is what. */
export async function firstPart(
  account: object,
  spaces: ExportPlace['spaces'],
  now: number,
): Promise<FilledPart> {
  const part = new ZipPart()
  await part.add('README.txt', utf8(README), now, true)
  await part.add('account.json', json(account), now, true)
  return filled(part, placeAt(spaces))
}

/** The next files, until the part is full or much was read. */
export async function fillPart(
  reader: ExportReader,
  rules: ExportRules,
  from: ExportPlace,
  now: number,
): Promise<FilledPart> {
  const part = new ZipPart()
  let at: ExportPlace | null = from
  for (let n = 0; n < EXPORTS.readsPerPart && at && part.bytes < EXPORTS.partBytes; n++) {
    at = await addPage(part, reader, rules, at, now)
  }
  return filled(part, at)
}

function filled(part: ZipPart, next: ExportPlace | null): FilledPart {
  const bytes = part.toBytes()
  return { bytes, files: part.files, size: archiveBytes(bytes, next === null), next }
}

/** @returns where it goes on, null at the end. */
async function addPage(
  part: ZipPart,
  reader: ExportReader,
  rules: ExportRules,
  at: ExportPlace,
  now: number,
): Promise<ExportPlace | null> {
  const space = at.spaces[at.space]
  if (!space) return null
  const step = STEPS[at.step]
  if (!step) return placeAt(at.spaces, at.space + 1)
  const { what, isFiles } = step
  const page = await reader.rows(space, what.table, what.columns, at.after)
  if (page === null) return placeAt(at.spaces, at.space + 1)
  if (page.after === null) return placeAt(at.spaces, at.space, at.step + 1)
  if (isFiles) return { ...at, after: await addFiles(part, reader, at, what, page) }
  const rows = page.rows.map((row) => showRow(what, row, rules))
  const name = `spaces/${space.id}/${what.file}-${at.page + 1}.json`
  await part.add(name, json(rows), now, true)
  return { ...at, after: page.after, page: at.page + 1 }
}

/** The bytes of some rows, until the part is full. @returns the key of the last one. */
async function addFiles(
  part: ZipPart,
  reader: ExportReader,
  at: ExportPlace,
  { hasFiles }: ExportedTable,
  { rows, after }: OpenRows,
): Promise<PartRow | null> {
  const space = at.spaces[at.space]
  if (!space || !hasFiles) return after
  for (const { id, name, created_at } of rows) {
    const bytes = await reader.file(space, hasFiles, String(id))
    if (bytes) {
      const path = `spaces/${space.id}/files/${id}-${fileName(name)}`
      await part.add(path, new Uint8Array(bytes), Number(created_at), false)
    }
    if (part.bytes >= EXPORTS.partBytes) return { id: String(id) }
  }
  return after
}

/** A name that any system takes; the id before it tells files of one name apart. */
function fileName(name: unknown): string {
  const text = typeof name === 'string' ? name : ''
  return text.replaceAll(/[\p{Cc}\p{Cf}\\/:*?"<>|]/gu, '_').slice(-100) || 'file'
}

const json = (value: unknown) => utf8(`${JSON.stringify(value, null, 2)}\n`)
