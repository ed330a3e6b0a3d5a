import type * as z from 'zod'
import type { UserUsage } from '../../../usage/schema'

/** Answers of the API, as `src/users/manage-schema.ts`, `src/spaces/manage-schema.ts` and `src/knowledge/schema.ts` describe them. */
export interface User {
  id: string
  external_user_id: string
  pref_name: string | null
  email: string | null
  auth: string
  created_at: string
  last_active_at: string
  session_count: number
  tokens_24h: number
}

export interface Space {
  id: string
  name: string
  is_default: boolean
}

export interface OwnedSpace extends Space {
  user_id: string
}

export interface Detail extends Omit<User, 'last_active_at'> {
  space_count: number
  document_count: number
  email_verified: boolean | null
  spaces: Space[]
  contact_email: string | null
  contact_phone: string | null
  pref_city: string | null
  pref_timezone: string | null
  consent: { at: string; text_hash: string } | null
  recent_refs: { type: 'session' | 'document'; id: string; title: string | null; at: string }[]
}

export interface Session {
  id: string
  user_id: string
  space_id: string
  agent_name: string
  channel: string
  title: string | null
  message_count: number
  created_at: string
  updated_at: string
}

export interface Document {
  id: string
  name: string | null
  size_bytes: number
  status: 'queued' | 'parsing' | 'embedding' | 'ready' | 'failed'
  progress: number
  error: string | null
  chunk_count: number
  space_id: string | null
  created_at: string
}

export type Usage = z.output<typeof UserUsage>
