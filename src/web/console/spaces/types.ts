/** Answers of the API, as `src/spaces/manage-schema.ts` and `src/wire/schema.ts` describe them. */
export interface Source {
  document_id: string
  chunk_id?: string
  n?: number
  title?: string
  url?: string | null
  quote?: string | null
}

export interface Message {
  id: string
  role: 'user' | 'assistant' | 'system'
  content: string | null
  agent_name: string | null
  author: 'agent' | 'staff' | null
  sources: Source[]
  attachments: { id: string; mime: string; name: string | null }[]
  status: 'complete' | 'partial' | 'failed' | 'unreadable'
  feedback: 'up' | 'down' | null
  variants: string[]
  created_at: string
  edited_at: string | null
}

export interface Attachment {
  id: string
  mime: string
  name: string | null
  created_at: string
}

export interface Memory {
  id: string
  kind: 'fact' | 'preference' | 'goal' | 'event' | 'instruction' | 'summary'
  topic: string | null
  importance: number
  content: string | null
  session_id: string | null
  created_at: string
  updated_at: string | null
}

export interface Profile {
  id: string
  agent_name: string
  content: string | null
  updated_at: string
}
