import { INGEST } from '../config/limits'
import type { DocumentRow } from '../db/tables/knowledge'
import { deleteFiles, documentPath, documentPrefix } from '../platform/files'

/** Whether a row is as its first upload wrote it: then it has one original, and there is nothing to look for. */
export const isUntouched = (row: DocumentRow): boolean =>
  row.attempts === 0 && row.liveVersion === null && row.createdAt === row.updatedAt

/**
 * The version that was searched until now goes, and whatever else is not fresh: a file that came just now may belong to an
 * upload that is not recorded yet. `before` is that version, null where nothing was searched.
 */
export async function dropOldOriginals(
  env: Env,
  row: DocumentRow,
  before: string | null,
): Promise<void> {
  const current = documentPath(row)
  const replaced = before === null ? null : documentPath({ ...row, version: before })
  const { objects } = await env.FILES.list({ prefix: documentPrefix(row) })
  const age = new Map(objects.map(({ key, uploaded }) => [key, uploaded.getTime()]))
  const since = age.get(current) ?? 0
  const isOld = (key: string, at: number) =>
    key === replaced ? at <= since : at < Date.now() - INGEST.stallMs
  const old = [...age].filter(([key, at]) => key !== current && isOld(key, at))
  await deleteFiles(
    env.FILES,
    old.map(([key]) => key),
  )
}
