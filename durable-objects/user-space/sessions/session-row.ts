export interface SessionRow extends Record<string, SqlStorageValue> {
  id: string
  agent_id: string
  agent_name: string
  channel: string
  alias: string | null
  title_sealed: string | null
  title_by_user: number
  title_vector_sealed: string | null
  title_embedder: string | null
  message_count: number
  read_count: number
  summary_sealed: string | null
  summary_upto: string | null
  forked_from: string | null
  prefill_sealed: string | null
  /** The handoff under way, during which the agent is silent. */
  handoff_id: string | null
  /** Answers in a row that found nothing; below zero once a person was offered. */
  misses: number
  /** What its turns leave to hand on; of those that are over it says nothing. */
  outbox: string | null
  /** Sorts sessions as `updated_at` does, and is no later. */
  ranked_at: number
  /** Messages that the session has before the next call to action; null once one was dismissed. */
  cta_from: number | null
  created_at: number
  updated_at: number
}
