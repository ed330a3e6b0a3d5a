import * as z from 'zod'
import { CHANNELS } from '../config/names'

export const ChannelIn = z.object({ token: z.string().min(1).max(256) })
export type ChannelIn = z.output<typeof ChannelIn>

/** A channel of the tenant, set up or not. The token never comes back. */
export const ChannelOut = z.object({
  channel: z.enum(CHANNELS),
  configured: z.boolean(),
  bot_id: z.string().nullable(),
  bot_name: z.string().nullable(),
  bot_username: z.string().nullable(),
  url: z.string().nullable(),
  webhook_url: z.string(),
  linked_users: z.int(),
  created_at: z.string().nullable(),
  updated_at: z.string().nullable(),
})

export const TgBindOut = z.object({
  code: z.string(),
  deep_link: z.string(),
  qr: z.string(),
  expires_at: z.string(),
})

/** A channel that the tenant has set up, for one of its users. */
export const MyChannelOut = z.object({
  channel: z.enum(CHANNELS),
  bot_name: z.string(),
  bot_username: z.string(),
  linked: z.boolean(),
  agent_name: z.string().nullable(),
  agent_display_name: z.string().nullable(),
  linked_at: z.string().nullable(),
})
