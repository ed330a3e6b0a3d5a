import * as z from 'zod'
import { PAGES } from '../config/limits'
import { pageQuery, queryBool, queryInt, whenFrom, whenTo } from '../wire/fields'
import { pageOf } from '../wire/paging'

const word = z
  .string()
  .max(256)
  .transform((text) => text.normalize('NFC'))
  .optional()

export const AuditFilter = z.object({
  action: word,
  entity: word,
  q: word,
  changes_only: queryBool.default(false),
  date_from: whenFrom().optional().describe('A date such as 2026-11-21 or a time, in UTC.'),
  date_to: whenTo().optional().describe('The same; a date to the end of its day.'),
})
export type AuditFilter = z.output<typeof AuditFilter>

export const AuditExportQuery = AuditFilter.extend({
  limit: queryInt({ min: 1, max: 1_000_000 })
    .optional()
    .describe('The newest so many; all by default.'),
})

export const AuditQuery = AuditFilter.extend({
  ...pageQuery(PAGES.audit),
  offset: queryInt({ min: 0, max: 1_000_000 }).default(0),
})

export const AuditOut = z.object({
  id: z.string(),
  created_at: z.string(),
  actor: z.string(),
  actor_type: z.enum(['key', 'operator', 'mcp', 'system', 'user']),
  via: z.enum(['api', 'console', 'mcp']),
  action: z.string(),
  entity: z.string(),
  entity_id: z.string().nullable(),
  entity_name: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  request_id: z.string().nullable(),
  seq: z.int(),
  sealed_at: z.string().nullable(),
  prev_hash: z.string().nullable(),
  hash: z.string().nullable(),
  canonical: z.string().nullable(),
})

export const AuditPage = pageOf(AuditOut).extend({ total: z.int().nullable() })
