import * as z from 'zod'
import { KNOWLEDGE_GRAPH } from '../config/limits'
import { isoTime, queryBool, queryInt, uuidParam } from '../wire/fields'
import { GRAPH_SOURCES } from './types'

const { nodes, queryLength } = KNOWLEDGE_GRAPH

export const GraphQuery = z.object({
  source: z.enum(GRAPH_SOURCES).default('all'),
  space_id: uuidParam.optional(),
  limit: queryInt({ min: 1, max: nodes.max }).default(nodes.default),
  refresh: queryBool.default(false),
  q: z.string().max(queryLength).default(''),
  stream: queryBool.default(false),
})
export const ItemQuery = z.object({ source: z.enum(GRAPH_SOURCES).default('all') })

/** A memory's id, or a document's with the number of a passage. */
export const itemId = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.\d{1,6})?$/i, {
    error: 'the id of a memory, or of a passage: document id, dot, number',
  })
  .transform((id) => id.toLowerCase())

const source = z.enum(['memory', 'knowledge'])

export const GraphOut = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      source,
      label: z.string().nullable(),
      kind: z.string(),
      x: z.number(),
      y: z.number(),
      z: z.number(),
      weight: z.number(),
      cluster: z.int(),
      match: z.boolean(),
    }),
  ),
  edges: z.array(z.object({ a: z.string(), b: z.string(), weight: z.number() })),
  total: z.int(),
  truncated: z.boolean(),
  computed_at: isoTime,
})

export const GraphItemOut = z.object({
  id: z.string(),
  source,
  text: z.string().nullable(),
  meta: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  neighbors: z.array(z.object({ id: z.string(), score: z.number() })),
})
