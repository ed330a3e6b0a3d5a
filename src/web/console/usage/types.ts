/** What `GET /v1/manage/usage` answers. */
export interface UsageRow {
  key: string
  label: string
  requests: number
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  total_tokens: number
  estimated_tokens: number
  events: number
}

export type UsageGroup =
  | 'total'
  | 'agent'
  | 'user'
  | 'space'
  | 'hour'
  | 'day'
  | 'week'
  | 'model'
  | 'kind'

export interface UsageReport {
  group: UsageGroup
  total: UsageRow
  rows: UsageRow[]
}
