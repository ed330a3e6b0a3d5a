/**
 * What the platform refuses, each with the page of developers.cloudflare.com that says so. Local stand-ins take more than
 * the platform does, so the modules that talk to it hold themselves to these, and the fakes of the tests refuse beyond them.
 */

/** /vectorize/platform/limits; the ids of one deletion are on no page: error 40007 of the service names them. */
export const VECTORIZE_LIMITS = {
  deletedIds: 100,
  /** Vectors of one upsert through the Worker's binding. */
  upserted: 1000,
  topK: 100,
  topKWithContent: 50,
  idBytes: 64,
  namespaceBytes: 64,
  metadataBytes: 10 * 1024,
  dimensions: 1536,
} as const

/** /queues/platform/limits */
export const QUEUE_LIMITS = {
  messageBytes: 128_000,
  batchMessages: 100,
  batchBytes: 256_000,
  /** What the service adds to each message, which counts too. */
  overheadBytes: 100,
} as const

/** /d1/platform/limits */
export const D1_LIMITS = {
  parameters: 100,
  statementBytes: 100_000,
  /** Of a row, and of a string in it. */
  rowBytes: 2_000_000,
} as const

/** /durable-objects/platform/limits: of a row, and of a string in it. */
export const OBJECT_LIMITS = { rowBytes: 2_000_000 } as const

/**
 * /workers-ai/models/bge-m3. That a call's tokens are its texts times the longest of them, and how long one may be, is on no
 * page: error 3030 of the service says so ("Max context reached 85920 tokens but model supports only 60000" of 20 texts, 68736
 * of 16 of them; "Sequence too long: 9003 > 8192").
 */
export const EMBEDDER_LIMITS = {
  texts: 100,
  callTokens: 60_000,
  textTokens: 8192,
} as const

/** /r2/platform/limits; the keys of one deletion and of one listing: /r2/api/workers/workers-api-reference. */
export const R2_LIMITS = {
  keyBytes: 1024,
  metadataBytes: 8192,
  keys: 1000,
} as const

const encoder = new TextEncoder()

export const byteLength = (text: string): number => encoder.encode(text).byteLength

/** Thrown before the platform is asked: a defect of ours, never a caller's doing. */
export class BeyondPlatform extends Error {
  override readonly name = 'BeyondPlatform'

  constructor(what: string, is: number, most: number) {
    super(`${what}: ${is}, the platform takes ${most}`)
  }
}

/** @throws BeyondPlatform */
export function holdTo(what: string, is: number, most: number): void {
  if (is > most) throw new BeyondPlatform(what, is, most)
}

export function inParts<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let i = 0; i < items.length; i += size) parts.push(items.slice(i, i + size))
  return parts
}
