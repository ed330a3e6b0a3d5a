import type * as z from 'zod'
import type { GraphItemOut, GraphOut } from '../../../knowledge-graph/schema'

export type Graph = z.output<typeof GraphOut>
export type Node = Graph['nodes'][number]
export type Item = z.output<typeof GraphItemOut>
