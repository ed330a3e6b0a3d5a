import { eq } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { findOwn } from '../db/own'
import { agentApps } from '../db/tables/agents'
import { iconFile } from '../platform/files'
import { sendJobs } from '../platform/queue'

/** File names of the derived pictures, all PNG. */
export const ICON_FILES = ['192.png', '512.png', 'maskable.png', 'favicon.png'] as const
export type IconFile = (typeof ICON_FILES)[number]

/** The icon that an agent shows, or null. */
export async function findIcon({ db, tenant }: TenantContext, agentId: string) {
  const app = await findOwn(db, agentApps, tenant.id, eq(agentApps.agentId, agentId))
  return app?.icon ?? null
}

/** Removes the files of an icon that is no longer shown. */
export function removeIcon(ctx: TenantContext, icon: string): Promise<void> {
  const keys = ICON_FILES.map((file) => iconFile(ctx.tenant.id, icon, file))
  return sendJobs(ctx.env, [{ type: 'files.delete', tenantId: ctx.tenant.id, keys }])
}
