import type * as z from 'zod'
import type { AgentListItem, AgentOut, AgentTemplateOut, AliasOut } from '../../../agents/schema'
import type { Language } from '../../../config/names'
import type { Revision as RevisionOut } from '../../../revisions/schema'

/** An agent as the API answers with it. */
export type Agent = z.output<typeof AgentOut>
export type AgentRow = z.output<typeof AgentListItem>
export type Template = z.output<typeof AgentTemplateOut>
export type Alias = z.output<typeof AliasOut>
export type Revision = z.output<typeof RevisionOut>

/** What people read of an agent in one language. */
export interface Words {
  display_name?: string | null | undefined
  greeting?: string | null | undefined
  menu_items?: string[] | null | undefined
  no_match_reply?: string | null | undefined
}
export type Translations = { [lang in Language]?: Words | null | undefined }

/** Of the other parts of the API, what an agent needs of them. */
export interface SkillRow {
  name: string
  description: string
  menu_label: string | null
  menu_prompt: string | null
}
export interface BaseRow {
  name: string
  document_count: number
}
export interface ServerRow {
  id: string
  name: string
  enabled: boolean
  tools: readonly { name: string; description: string }[]
}
