import { REMINDER_CHANNELS, type ReminderChannel } from '../channels/reminder-channels'
import { SECOND_MS } from '../config/limits'
import { configOf } from '../config/read-config'
import { createLog } from '../log'
import { workIn } from '../platform/stubs'
import { TryLater } from '../platform/try-later'
import { DeliveryRefused } from '../reminders/delivery-refused'
import type { JobOf } from './job'

/**
 * Delivers a due reminder by every channel beside the stream, by each once however often the job runs: whoever claims a
 * channel delivers, and what a dead job had claimed is taken up once its claim has run out.
 * @throws the first failure after all channels were tried; what failed is tried again with the job.
 */
export async function deliverReminder(
  env: Env,
  job: JobOf<'reminder.deliver'>,
  channels: readonly ReminderChannel[] = REMINDER_CHANNELS,
): Promise<void> {
  const { reminderId } = job
  const notice = await workIn(env, job, 'reminderChannels', 'notice', reminderId)
  if (!notice) return
  const failures: unknown[] = []
  for (const { name, wants, deliver } of channels) {
    if (!wants(notice)) continue
    const claim = await workIn(env, job, 'reminderChannels', 'claim', reminderId, name)
    if (claim === 'held') failures.push(new TryLater(configOf(env).claimMs / SECOND_MS))
    if (claim !== 'yours') continue
    try {
      const outcome = await deliver(env, job, notice)
      await workIn(env, job, 'reminderChannels', 'settle', reminderId, name, outcome)
    } catch (error) {
      if (error instanceof DeliveryRefused) {
        createLog('reminders').warn('delivery_refused', { channel: name, reason: error.message })
        await workIn(env, job, 'reminderChannels', 'settle', reminderId, name, 'failed')
      } else {
        failures.push(error)
        await workIn(env, job, 'reminderChannels', 'release', reminderId, name)
      }
    }
  }
  const failure = failures.find((one) => !(one instanceof TryLater)) ?? failures[0]
  if (failure instanceof TryLater) {
    await workIn(env, job, 'reminderChannels', 'putOff', reminderId, failure.delayS * SECOND_MS)
  }
  if (failure !== undefined) throw failure
  await workIn(env, job, 'reminderChannels', 'finish', reminderId)
}
