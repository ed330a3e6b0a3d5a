import { configOf } from '../../config/read-config'
import { tenantMeter } from '../stubs'

/** Counts a mail that a user brought about: the tenant's mail server, and who is mailed, are spared a flood of them. */
export async function mayMail(env: Env, tenantId: string, userId: string): Promise<boolean> {
  const name = `mails ${userId}`
  const rate = configOf(env).rates.userMails
  return (await tenantMeter(env, tenantId).take([{ ...rate, name }])).ok
}
