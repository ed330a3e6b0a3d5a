import { REMINDER_CHANNELS, type ReminderChannel } from '../channels/reminder-channels'
import { SECOND_MS } from '../config/limits'
import { configOf } from '../config/read-config'
import { createLog } from '../log'
import { userSpace } from '../platform/stubs'
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
  const space = () => userSpace(env, job)
  const notice = await space().reminderNotice(reminderId)
  if (!notice) return
  const failures: unknown[] = []
  for (const { name, wants, deliver } of channels) {
    if (!wants(notice)) continue
    const claim = await space().claimReminderChannel(reminderId, name)
    if (claim === 'held') failures.push(new TryLater(configOf(env).claimMs / SECOND_MS))
    if (claim !== 'yours') continue
    try {
      const outcome = await deliver(env, job, notice)
      await space().settleReminderChannel(reminderId, name, outcome)
    } catch (error) {
      if (error instanceof DeliveryRefused) {
        createLog('reminders').warn('delivery_refused', { channel: name, reason: error.message })
        await space().settleReminderChannel(reminderId, name, 'failed')
      } else {
        failures.push(error)
        await space().releaseReminderChannel(reminderId, name)
      }
    }
  }
  const failure = failures.find((one) => !(one instanceof TryLater)) ?? failures[0]
  if (failure instanceof TryLater) {
    await space().putOffReminder(reminderId, failure.delayS * SECOND_MS)
  }
  if (failure !== undefined) throw failure
  await space().finishReminder(reminderId)
}
