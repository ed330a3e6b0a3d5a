import * as z from 'zod'
import { INSTALL_PROMPTS } from '../config/names'

export const AppPatch = z.object({
  install_prompt: z.enum(INSTALL_PROMPTS).nullable().optional(),
})
export type AppPatch = z.output<typeof AppPatch>

export const AppOut = z.object({
  install_prompt: z.enum(INSTALL_PROMPTS),
  favicon_url: z.string().nullable(),
  icon192_url: z.string().nullable(),
  icon512_url: z.string().nullable(),
  icon_maskable_url: z.string().nullable(),
})
