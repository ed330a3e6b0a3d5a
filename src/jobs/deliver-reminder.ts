import { userSpace } from '../platform/stubs'
import { REMINDER_CHANNELS, type ReminderChannel } from '../reminders/channels'
import type { JobOf } from './job'

/**
 * Delivers a due reminder by every channel beside the stream, by each at most once however often the job runs.
 * @throws the first failure after all channels were tried; what failed is tried again with the job.
 */
export async function deliverReminder(
  env: Env,
  job: JobOf<'reminder.deliver'>,
  channels: readonly ReminderChannel[] = REMINDER_CHANNELS,
): Promise<void> {
  const space = () => userSpace(env, job)
  const notice = await space().reminderNotice(job.reminderId)
  if (!notice) return
  const failures: unknown[] = []
  for (const channel of channels) {
    if (!channel.wants(notice)) continue
    if (!(await space().claimReminderChannel(job.reminderId, channel.name))) continue
    try {
      await channel.deliver(env, job, notice)
    } catch (error) {
      failures.push(error)
      await space().releaseReminderChannel(job.reminderId, channel.name)
    }
  }
  if (failures.length > 0) throw failures[0]
}
