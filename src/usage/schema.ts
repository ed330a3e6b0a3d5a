import * as z from 'zod'
import { USAGE_REPORT } from '../config/limits'
import { queryInt } from '../wire/fields'
import { PERIODS } from './periods'

const USAGE_GROUPS = ['total', 'agent', 'user', 'space', ...PERIODS, 'model', 'kind'] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]

export const UsageQuery = z.object({
  group: z.enum(USAGE_GROUPS).default('total'),
  since: z.string().max(64).optional(),
})

export const UsageRow = z.object({
  key: z.string(),
  label: z.string(),
  requests: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cached_tokens: z.int(),
  total_tokens: z.int(),
  /** Of the total, what no provider reported. */
  estimated_tokens: z.int(),
  events: z.int(),
})
export type UsageRow = z.output<typeof UsageRow>

export const UsageReport = z.object({
  group: z.enum(USAGE_GROUPS),
  total: UsageRow,
  rows: z.array(UsageRow),
})

export const UserUsageQuery = z.object({
  hours: queryInt({ min: 1, max: USAGE_REPORT.maxHours }).optional(),
  days: queryInt({ min: 1, max: USAGE_REPORT.maxDays }).optional(),
})

export const UserUsage = z.object({
  points: z.array(z.object({ t: z.string(), tokens: z.int(), requests: z.int() })),
  total_tokens: z.int(),
})
