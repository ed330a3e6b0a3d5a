import type { UsageEntry } from '../../src/usage/meter-types'

/** What an answer used: one of so many tokens is the output. */
export const chatUsage = (tokens: number, fields: Partial<UsageEntry> = {}): UsageEntry => ({
  agentId: 'agent',
  userId: 'user',
  spaceId: 'space',
  model: 'model',
  kind: 'chat',
  requests: 1,
  inputTokens: tokens - 1,
  outputTokens: 1,
  cachedTokens: 0,
  events: 0,
  ...fields,
})
