import type * as z from 'zod'
import type { DraftOut, ReviewOut } from '../../../reviews/schema'

export type Review = z.output<typeof ReviewOut>
export type Draft = z.output<typeof DraftOut>
