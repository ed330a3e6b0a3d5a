import { DAY_MS, MEMORY } from '../config/limits'
import type { MemoryKind } from './types'

/** A memory as recall weighs it. */
export interface Weighable {
  kind: MemoryKind
  importance: number
  updatedAt: number
  /** To the question, 0 to 1. */
  similarity: number
}

const WEIGHTS = { similarity: 0.6, importance: 0.25, recency: 0.15 } as const
/** After so long a memory counts half as recent. Events pass, what somebody is stays. */
const HALF_LIFE_DAYS: Record<MemoryKind, number> = {
  fact: 180,
  preference: 120,
  goal: 60,
  event: 21,
  instruction: 365,
  summary: 90,
}
/** Below this a memory has nothing to do with the question and stays out, unless it is one that always helps. */
const LEAST_SIMILARITY = 0.2
const ALWAYS_FROM = 8

/** 0 to 1: how near to the question, how important and how fresh a memory is. */
export function scoreMemory(memory: Weighable, now: number): number {
  const age = Math.max(0, now - memory.updatedAt) / DAY_MS
  const recency = 2 ** (-age / HALF_LIFE_DAYS[memory.kind])
  return (
    WEIGHTS.similarity * clamp(memory.similarity) +
    WEIGHTS.importance * clamp(memory.importance / 10) +
    WEIGHTS.recency * recency
  )
}

/** The best eight memories for a question, best first; ties go to the newer. `least`: what is less similar stays out. */
export function rankMemories<T extends Weighable>(
  memories: readonly T[],
  now: number,
  least: number = LEAST_SIMILARITY,
): T[] {
  return memories
    .filter((memory) => memory.similarity >= least || memory.importance >= ALWAYS_FROM)
    .map((memory) => ({ memory, score: scoreMemory(memory, now) }))
    .sort((one, other) => other.score - one.score || other.memory.updatedAt - one.memory.updatedAt)
    .slice(0, MEMORY.recalled)
    .map(({ memory }) => memory)
}

/** Cosines of a trained embedder crowd in a narrow band; those of the statistical one start at zero. */
const TRAINED_FLOOR = 0.3

/** A cosine as a similarity from 0 to 1, comparable whichever embedder it comes from. */
export function similarityOf(cosine: number, trained: boolean): number {
  return clamp(trained ? (cosine - TRAINED_FLOOR) / (1 - TRAINED_FLOOR) : cosine)
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))
