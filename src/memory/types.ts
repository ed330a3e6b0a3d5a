/** Kinds of memory, as the contract names them. */
export const MEMORY_KINDS = [
  'fact',
  'preference',
  'goal',
  'event',
  'instruction',
  'summary',
] as const
export type MemoryKind = (typeof MEMORY_KINDS)[number]

/** Who drew a memory from the user's words: the fixed rules (no model was there) or a model. */
export type MemoryMaker = 'rules' | 'model'

/** Something worth keeping that a message says, before it is compared with what is known. */
export interface MemoryDraft {
  kind: MemoryKind
  topic: string
  /** 1 to 10. */
  importance: number
  /** In the user's own person and language: "I live in Lima." */
  content: string
  /** What at most one memory can be true about ("home", "taste:coffee"); null when several may stand side by side. */
  slot: string | null
  /** Ids of memories that this one makes untrue. */
  replaces: string[]
}

/** A memory in force, opened. Times in milliseconds since 1970. */
export interface Memory {
  id: string
  kind: MemoryKind
  topic: string
  importance: number
  content: string
  slot: string | null
  agentName: string
  updatedAt: number
}
