import { eq } from 'drizzle-orm'
import type { Source } from '../chat/events'
import type { SpaceIdentity, UserContext } from '../context'
import { findOwn } from '../db/own'
import {
  type DocumentRow,
  documents,
  type KnowledgeBaseRow,
  knowledgeBases,
} from '../db/tables/knowledge'
import { forbidden, gone } from '../errors'
import type { PassageInContext } from '../knowledge/types'
import { documentPath } from '../platform/files'
import { knowledgeBase } from '../platform/stubs'
import { askSpace } from '../spaces/ask-space'
import { findSpaceByTag } from '../spaces/find-space'
import { placesIn } from './present-source'
import { sourceRule } from './source-rule'

export interface SourceInContext {
  source: Source
  context: PassageInContext
  downloadable: boolean
}

/** Where a cited document is: in a base of the tenant's, or in the space itself. */
type Home = { base: KnowledgeBaseRow; document: DocumentRow } | { space: SpaceIdentity }

type Found = Omit<SourceInContext, 'downloadable'> & { home: Home }

/**
 * What a sentence of a reply rests on, in its context. Never the text of another document, or of another version.
 * @throws notFound; forbidden where the agent hides its sources; gone when the document changed or was deleted since.
 */
export async function readSource(
  ctx: UserContext,
  messageId: string,
  n: number,
): Promise<SourceInContext> {
  const { source, context, home } = await findSource(ctx, messageId, n)
  return { source, context, downloadable: 'space' in home || home.base.downloads }
}

/** The file that a source is from. @throws as `readSource`; forbidden where its base keeps files to itself. */
export async function openOriginal(
  ctx: UserContext,
  messageId: string,
  n: number,
): Promise<{ name: string; body: Uint8Array<ArrayBuffer> | ReadableStream }> {
  const { source, context, home } = await findSource(ctx, messageId, n)
  if ('space' in home) {
    const id = source.document_id
    const { name, bytes } = await askSpace(ctx, home.space, 'citedSources', 'original', id)
    return { name, body: new Uint8Array(bytes) }
  }
  if (!home.base.downloads) throw forbidden('Originals are not handed out', 'downloads_off')
  // While a replacement is being read, the row names the new version already.
  const { version } = context
  const file = await ctx.env.FILES.get(documentPath({ ...home.document, version }))
  if (!file) throw sourceGone()
  return { name: home.document.name, body: file.body }
}

async function findSource(ctx: UserContext, messageId: string, n: number): Promise<Found> {
  const space = await findSpaceByTag(ctx, messageId, 'Message')
  const [{ source, agentName, own }, shows] = await Promise.all([
    askSpace(ctx, space, 'citedSources', 'read', messageId, n),
    sourceRule(ctx),
  ])
  if (!shows(agentName)) throw forbidden('The agent does not show its sources', 'sources_hidden')
  const found: Found | null = own
    ? { source, context: own, home: { space } }
    : await findInBase(ctx, source)
  if (found === null || !isSame(source, found.context)) throw sourceGone()
  return found
}

async function findInBase(ctx: UserContext, source: Source): Promise<Found | null> {
  const document = await findOwn(
    ctx.db,
    documents,
    ctx.tenant.id,
    eq(documents.id, source.document_id),
  )
  const base =
    document &&
    (await findOwn(ctx.db, knowledgeBases, ctx.tenant.id, eq(knowledgeBases.id, document.baseId)))
  if (!base) return null
  const context = await knowledgeBase(ctx.env, ctx.tenant.id, base.id).readInContext({
    tenantId: ctx.tenant.id,
    documentId: document.id,
    chunkId: source.chunk_id ?? '',
  })
  return context && { source, context, home: { base, document } }
}

/** Whether the passage still says at every place what was quoted from it: a text that was read anew may be cut otherwise. */
const isSame = (source: Source, { passage }: PassageInContext): boolean =>
  placesIn(source, passage).every(
    ({ quote, start, end }) => passage.text.slice(start, end) === quote,
  )

const sourceGone = () =>
  gone('The document was changed or deleted since this answer was given', 'source_gone')
