import { INGEST, LIMITS } from '../config/limits'
import { countCommon, encodePassages, indexPassage } from '../knowledge/passage-index'
import { readChunks } from '../knowledge/read-late'
import { workIn } from '../platform/stubs'
import type { JobOf } from './job'

const PARSED_PROGRESS = 20

/**
 * Reads a document of a space and hands chunks and index back to the space's object, which seals them. Reading happens
 * here and not in the object, so that a large file never delays a turn; nothing of it is kept. Safe to run twice.
 */
export async function ingestSpaceDocument(
  env: Env,
  job: JobOf<'space-document.ingest'>,
): Promise<void> {
  const id = job.documentId
  const begun = await workIn(env, job, 'ingestion', 'begin', id)
  if (!begun) return
  const read = await readChunks(begun.bytes, begun.kind, begun.name)
  if (!read.ok) return workIn(env, job, 'ingestion', 'fail', id, read.reason)
  const { title, chunks } = read
  if (chunks.length > LIMITS.chunksPerSpace) return workIn(env, job, 'ingestion', 'fail', id, FULL)
  const tokenSets: Set<string>[] = []
  for (let from = 0; from < chunks.length; from += INGEST.chunkBatch) {
    const batch = chunks.slice(from, from + INGEST.chunkBatch)
    const indexed = batch.map((chunk) => indexPassage(title, chunk))
    tokenSets.push(...indexed.map(({ tokens }) => tokens))
    const share = (from + batch.length) / chunks.length
    const stored = await workIn(env, job, 'ingestion', 'addPart', id, {
      part: from / INGEST.chunkBatch,
      chunks: batch,
      index: encodePassages(indexed.map(({ passage }) => passage)),
      progress: PARSED_PROGRESS + Math.floor(share * (99 - PARSED_PROGRESS)),
    })
    if (!stored.ok && stored.reason === 'gone') return
    if (!stored.ok) return workIn(env, job, 'ingestion', 'fail', id, FULL)
  }
  const common = countCommon(tokenSets)
  await workIn(env, job, 'ingestion', 'finish', id, title, common, chunks.length, begun.name)
}

const FULL = `The space is full: it holds at most ${LIMITS.chunksPerSpace} passages. Delete documents or use another space.`
