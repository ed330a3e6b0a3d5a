import { eq, sql } from 'drizzle-orm'
import { getAgent } from '../agents/agents'
import { ICON_FILES, removeIcon } from '../agents/icon-files'
import { commitChange } from '../audit/commit-change'
import { isThere, nextUpdate, untilCommitted } from '../audit/until-committed'
import { APP_ICONS, BODY_LIMITS } from '../config/limits'
import type { BaseContext, TenantContext } from '../context'
import { findNear } from '../db/client'
import { findOwn, pickOwn } from '../db/own'
import { type AgentAppRow, agentApps, agents } from '../db/tables/agents'
import { tenants } from '../db/tables/tenants'
import { ApiError, invalid, notFound, tooLarge } from '../errors'
import type { Bytes } from '../platform/crypto/bytes'
import { iconFile, storeFile } from '../platform/files'
import { newId } from '../platform/ids'
import { checkImage } from '../platform/uploads/check-image'
import { deriveIcons } from './derive-icons'
import { auditApp } from './present-app'
import type { AppPatch } from './schema'

const FORMATS = ['png', 'jpeg', 'webp'] as const

/** The settings of an agent's installable page. @throws notFound. */
export async function getApp(ctx: TenantContext, name: string): Promise<AgentAppRow> {
  const agent = await getAgent(ctx, name)
  const row = await findOwn(ctx.db, agentApps, ctx.tenant.id, eq(agentApps.agentId, agent.id))
  return row ?? { ...EMPTY, agentId: agent.id, tenantId: ctx.tenant.id }
}

const EMPTY = { installPrompt: 'off', icon: null, updatedAt: 0 } as const

/** A null resets to the default. @throws notFound. */
export async function patchApp(
  ctx: TenantContext,
  name: string,
  patch: AppPatch,
): Promise<AgentAppRow> {
  const { after } = await changeApp(ctx, name, (before) => ({
    installPrompt:
      patch.install_prompt === undefined ? before.installPrompt : (patch.install_prompt ?? 'off'),
  }))
  return after
}

/**
 * Derives the pictures of all sizes from one and shows them from now on. @throws notFound; 413 above 1 MB; 415 for
 * anything but PNG, JPEG and WebP; invalid for a picture that is not square, too small, too large or damaged.
 */
export async function putIcon(
  ctx: TenantContext,
  name: string,
  bytes: Bytes,
): Promise<AgentAppRow> {
  await getAgent(ctx, name)
  if (bytes.length > BODY_LIMITS.icon) throw tooLarge()
  const kind = checkIcon(bytes)
  const files = await deriveIcons(bytes, kind)
  if (files === null) throw invalid(['body', 'file'], 'The picture is damaged.')
  const icon = newId(ctx.now)
  await Promise.all(
    ICON_FILES.map((file) =>
      storeFile(ctx.env.FILES, iconFile(ctx.tenant.id, icon, file), files[file]),
    ),
  )
  return showIcon(ctx, name, icon)
}

function checkIcon(bytes: Bytes): (typeof FORMATS)[number] {
  const { minSide, maxSide } = APP_ICONS
  const image = checkImage(bytes, { allow: FORMATS, maxDimension: maxSide })
  if (!image.ok) {
    if (image.code === 'unsupported') {
      throw new ApiError('unsupported_type', 'Unsupported file type')
    }
    throw invalid(['body', 'file'], image.reason)
  }
  if (image.width !== image.height || image.width < minSide) {
    throw invalid(
      ['body', 'file'],
      `The picture must be square, ${minSide} to ${maxSide} pixels a side; this one is ${image.width} × ${image.height}.`,
    )
  }
  return image.kind as (typeof FORMATS)[number]
}

/** Back to the product's own icon. @throws notFound. */
export function dropIcon(ctx: TenantContext, name: string): Promise<AgentAppRow> {
  return showIcon(ctx, name, null)
}

async function showIcon(
  ctx: TenantContext,
  name: string,
  icon: string | null,
): Promise<AgentAppRow> {
  const { before, after } = await changeApp(ctx, name, () => ({ icon }))
  if (before.icon !== null && before.icon !== icon) await removeIcon(ctx, before.icon)
  return after
}

/** Reads, decides, and writes with the audit entry on the condition that nobody wrote in between. */
function changeApp(
  ctx: TenantContext,
  name: string,
  decide: (before: AgentAppRow) => Partial<AgentAppRow>,
): Promise<{ before: AgentAppRow; after: AgentAppRow }> {
  return untilCommitted(`app ${ctx.tenant.id} ${name}`, async () => {
    const before = await getApp(ctx, name)
    const after = { ...before, ...decide(before), updatedAt: nextUpdate(before, ctx.now) }
    const { agentId, tenantId, ...fields } = after
    const written = await commitChange(
      ctx,
      ctx.tenant.id,
      [
        ctx.db
          .insert(agentApps)
          .values(after)
          .onConflictDoUpdate({ target: agentApps.agentId, set: fields }),
      ],
      {
        action: 'update',
        entity: 'agent_app',
        entityId: agentId,
        entityName: name,
        before: auditApp(before),
        after: auditApp(after),
        requires: sql`${isThere(agents, { tenantId, id: agentId })} AND coalesce((SELECT updated_at FROM agent_apps WHERE agent_id = ${agentId}), 0) = ${before.updatedAt}`,
      },
    )
    return written ? { before, after } : null
  })
}

/** A picture that an agent of an active tenant shows now; the database says which, never the address. @throws notFound. */
export async function readIcon(
  base: BaseContext,
  tenantId: string,
  icon: string,
  file: string,
): Promise<ReadableStream> {
  const known = ICON_FILES.find((name) => name === file)
  const shown = [eq(agentApps.icon, icon), eq(tenants.status, 'active')]
  const row = await findNear(base.env.DB, (db) =>
    pickOwn(db, agentApps, tenantId, { icon: agentApps.icon }, ...shown)
      .innerJoin(tenants, eq(tenants.id, agentApps.tenantId))
      .limit(1)
      .get(),
  )
  const object = row && known ? await base.env.FILES.get(iconFile(tenantId, icon, known)) : null
  if (!object) throw notFound('Icon')
  return object.body
}
