import type { TenantContext } from '../context'
import { loadRules } from '../lazy'
import { GRAPH_LIMITS, NODE_TYPES } from './graph'
import { isEnabled } from './storylines'

/** What an editor has to know before it opens a storyline. */
export async function storylineFeature(ctx: TenantContext) {
  const { FUNCTIONS } = await loadRules()
  return {
    enabled: isEnabled(ctx),
    graph_format: 1 as const,
    limits: GRAPH_LIMITS,
    node_types: NODE_TYPES,
    functions: FUNCTIONS,
  }
}
