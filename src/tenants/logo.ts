import { and, eq } from 'drizzle-orm'
import { BODY_LIMITS } from '../config/limits'
import type { BaseContext, TenantContext } from '../context'
import { findNear } from '../db/client'
import { tenants } from '../db/tables/tenants'
import { ApiError, invalid, notFound, tooLarge } from '../errors'
import type { Bytes } from '../platform/crypto/bytes'
import { deleteFiles, logoFile, storeFile } from '../platform/files'
import { newId } from '../platform/ids'
import { checkImage } from '../platform/uploads/check-image'
import { changeTenant } from './settings'

const FORMATS = ['png', 'jpeg', 'webp'] as const
const MIME = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' }

/** Stores the logo under a name of its own, so that an address always means the same picture. @returns that name. */
export async function putLogo(ctx: TenantContext, bytes: Bytes): Promise<string> {
  if (bytes.length > BODY_LIMITS.icon) throw tooLarge()
  const image = checkImage(bytes, { allow: FORMATS })
  if (!image.ok) {
    if (image.code === 'unsupported') {
      throw new ApiError('unsupported_type', 'Unsupported file type')
    }
    throw invalid(['body', 'file'], image.reason)
  }
  const logo = `${newId(ctx.now)}.${image.kind}`
  await storeFile(ctx.env.FILES, logoFile(ctx.tenant.id, logo), bytes)
  const before = await changeTenant(ctx, 'logo', () => ({ logo }))
  if (before.logo !== null) await deleteFiles(ctx.env.FILES, [logoFile(ctx.tenant.id, before.logo)])
  return logo
}

/** The picture that the tenant shows now; the database says which, never the address. @throws notFound. */
export async function readLogo(
  base: BaseContext,
  tenantId: string,
  logo: string,
): Promise<{ body: ReadableStream; mime: string }> {
  const shown = and(eq(tenants.id, tenantId), eq(tenants.logo, logo), eq(tenants.status, 'active'))
  const row = await findNear(base.env.DB, (db) =>
    db.select({ id: tenants.id }).from(tenants).where(shown).limit(1).get(),
  )
  const kind = FORMATS.find((format) => logo.endsWith(`.${format}`))
  const object = row && kind ? await base.env.FILES.get(logoFile(tenantId, logo)) : null
  if (!object || !kind) throw notFound('Logo')
  return { body: object.body, mime: MIME[kind] }
}
