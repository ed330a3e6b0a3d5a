import * as z from 'zod'
import { REMINDERS } from '../config/limits'
import { isUnseen } from '../text/unseen'
import { agentNamed, unlessWrong, uuidParam } from '../wire/fields'
import { pageOf } from '../wire/paging'

/** What has nothing to see says nothing. */
const text = z
  .string()
  .min(1)
  .max(REMINDERS.textLength)
  .refine((value) => !isUnseen(value), { error: 'the text is empty', when: unlessWrong })

export const NewReminderIn = z.object({
  text,
  due_at: z.string().max(64),
  timezone: z.string().max(64).nullable().optional(),
  agent: agentNamed.nullable().optional(),
  session_id: uuidParam.nullable().optional(),
})

export const MyReminderOut = z.object({
  id: z.string(),
  status: z.enum(['pending', 'sent', 'failed', 'cancelled']),
  due_at: z.string(),
  timezone: z.string(),
  source: z.enum(['manual', 'agent']),
  agent_name: z.string().nullable(),
  agent_display_name: z.string().nullable(),
  session_id: z.string().nullable(),
  created_at: z.string(),
  delivered_at: z.string().nullable(),
  cancelled_at: z.string().nullable(),
})

export const MyReminderPage = pageOf(MyReminderOut)
