import * as z from 'zod'
import { LIMITS, SITES } from '../config/limits'
import {
  DOCUMENT_STATES,
  REFRESH_RATES,
  SITE_IMPORT_STATES,
  SITE_PAGE_STATES,
  VECTOR_STATES,
} from '../db/tables/knowledge'
import { documentTitle, nameField } from '../wire/fields'
import { pageOf } from '../wire/paging'
import { GATE_REASONS } from './gate'

const instructions = z.string().max(LIMITS.promptLength)

const downloads = z
  .boolean()
  .nullable()
  .optional()
  .describe('Whether readers of an answer may have the files it rests on; false by default.')
const rerank = z
  .boolean()
  .nullable()
  .optional()
  .describe('Whether a model puts what is found in order; false by default.')
const refresh = z
  .enum(REFRESH_RATES)
  .nullable()
  .optional()
  .describe(
    'How often documents that were fetched from an address are asked again; off by default.',
  )

export const BaseIn = z.object({
  name: nameField,
  instructions: instructions.nullable().optional(),
  downloads,
  rerank,
  refresh,
})
export type BaseIn = z.output<typeof BaseIn>
export const BasePatch = z.object({
  name: nameField.nullable().optional(),
  instructions: instructions.nullable().optional(),
  downloads,
  rerank,
  refresh,
})
export type BasePatch = z.output<typeof BasePatch>

export const BaseOut = z.object({
  id: z.string(),
  name: z.string(),
  instructions: z.string(),
  document_count: z.int(),
  chunk_count: z.int(),
  status: z.enum(['empty', 'processing', 'ready', 'failed']),
  progress: z.int(),
  embedding_model: z.string(),
  downloads: z.boolean(),
  rerank: z.boolean(),
  refresh: z.enum(REFRESH_RATES),
  created_at: z.string(),
  updated_at: z.string(),
})

export const DocumentOut = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  mime: z.string(),
  size_bytes: z.int(),
  status: z.enum(DOCUMENT_STATES),
  progress: z.int(),
  error: z.string().nullable(),
  attempts: z.int(),
  chunk_count: z.int(),
  source_url: z.string().nullable(),
  /** When its address had said twice in a row that it is gone; the text that was fetched before stays searchable. */
  gone_at: z.string().nullable(),
  /** Whether it is found by meaning already: by its words it is as soon as it has chunks. */
  vectors: z.enum(VECTOR_STATES),
  kb_name: z.string().nullable(),
  space_id: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export const DocumentPage = pageOf(DocumentOut)

/** Beside limit and cursor. */
export const DocumentFilterIn = {
  status: z.enum(DOCUMENT_STATES).optional(),
  q: z.string().min(1).max(200).optional().describe('Letters of its path or its address.'),
}

const refused = z.array(z.object({ path: z.string(), reason: z.string() }))
export const ImportResult = z.object({
  imported: z.int(),
  skipped: refused,
  failed: refused,
  documents: z.array(DocumentOut),
})

const webUrl = z
  .string()
  .max(2048)
  .check(z.url({ protocol: /^https?$/, error: 'an absolute http or https address' }))
/** Whoever reads what cites it is shown it: it holds nobody's password. */
const sourceUrl = webUrl.refine((text) => !/^https?:\/\/[^/?#\\]*@/i.test(text.trim()), {
  error: 'an address without a user or a password',
})
export const TextIn = z.object({
  title: documentTitle,
  text: z.string().min(1).max(900_000),
  source_url: sourceUrl.nullable().optional(),
})
export type TextIn = z.output<typeof TextIn>
export const UrlIn = z.object({ url: z.string().min(1).max(2048) })

export const SiteIn = z.object({
  url: webUrl.describe('Any page of the site; what lies at other origins is left out.'),
  limit: z
    .int()
    .min(1)
    .max(SITES.mostPages)
    .nullable()
    .optional()
    .describe(`Pages that are asked for at most; ${SITES.defaultPages} by default.`),
})
export type SiteIn = z.output<typeof SiteIn>

export const SiteBegun = z.object({ job_id: z.string() })

export const SiteImportOut = z.object({
  job_id: z.string(),
  url: z.string(),
  limit: z.int(),
  status: z.enum(SITE_IMPORT_STATES),
  error: z.string().nullable(),
  queued: z.int(),
  imported: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  failed: z.int(),
  pages: z.array(
    z.object({
      url: z.string(),
      status: z.enum(SITE_PAGE_STATES),
      reason: z.string().nullable(),
      document_id: z.string().nullable(),
    }),
  ),
  created_at: z.string(),
  updated_at: z.string(),
})

export const SearchIn = z.object({
  query: z.string().min(1).max(4000),
  k: z.int().min(LIMITS.searchK.min).max(LIMITS.searchK.max).nullable().optional(),
})
export type SearchIn = z.output<typeof SearchIn>

export const SearchOut = z.object({
  query: z.string(),
  hits: z.array(
    z.object({
      document_id: z.string(),
      document_name: z.string(),
      chunk_id: z.string(),
      text: z.string(),
      score: z.number(),
      distance: z.number(),
      page: z.int().nullable(),
      heading: z.string().nullable(),
      source_url: z.string().nullable(),
      start: z.int(),
      end: z.int(),
    }),
  ),
  gate: z
    .object({ open: z.boolean(), reasons: z.array(z.enum(GATE_REASONS)) })
    .describe('Whether an agent would try to answer the question from these hits, and why (not).'),
  took_ms: z.number(),
})

export const ChunkPage = pageOf(
  z.object({
    id: z.string(),
    n: z.int(),
    text: z.string(),
    heading: z.string().nullable(),
    page: z.int().nullable(),
    start: z.int(),
    end: z.int(),
  }),
)
