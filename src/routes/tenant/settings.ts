import * as z from 'zod'
import { BODY_LIMITS, FORM_BYTES } from '../../config/limits'
import { PROVIDERS } from '../../config/names'
import { notFound } from '../../errors'
import { formFile } from '../../http/form'
import { defineRoute } from '../../http/route'
import { putLogo, readLogo } from '../../tenants/logo'
import { clearOauth, enableOauth, putOauth } from '../../tenants/oauth'
import { logoUrl, presentSettings } from '../../tenants/present-settings'
import { presentPrivacy, putPrivacy, readTenant } from '../../tenants/privacy'
import { patchSettings, readSettings } from '../../tenants/settings'
import {
  OauthIn,
  PrivacyIn,
  PrivacyOut,
  SettingsOut,
  SettingsPatch,
  SmtpIn,
} from '../../tenants/settings-schema'
import { putSmtp, testSmtp } from '../../tenants/smtp'
import { pickLanguage } from '../../wire/accept-language'
import { addressField } from '../../wire/fields'

const tag = 'Settings'
const provider = z.object({ provider: z.enum(PROVIDERS) })

export const tenantSettingsRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/settings',
    layer: 'tenant',
    tag,
    summary: 'General settings, sign-in providers and mail, without any secret',
    answers: { 200: SettingsOut },
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(presentSettings(await readSettings(ctx), ctx))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/tenant/settings',
    layer: 'tenant',
    tag,
    summary: 'Change only the fields that are sent; a null alias clears it',
    json: SettingsPatch,
    answers: { 200: SettingsOut },
    errors: [409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(presentSettings(await patchSettings(ctx, c.req.valid('json')), ctx))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/tenant/settings/logo',
    layer: 'tenant',
    tag,
    summary: 'Set the logo: PNG, JPEG or WebP, at most 1 MB and 4,096 pixels a side',
    multipart: true,
    bodyLimit: BODY_LIMITS.icon + FORM_BYTES,
    answers: { 200: z.object({ logo_url: z.string() }) },
    errors: [413, 415],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { bytes } = await formFile(c.get('form'))
      const logo = await putLogo(ctx, bytes)
      return c.json({ logo_url: logoUrl({ id: ctx.tenant.id, logo }, ctx) ?? '' })
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/tenant/settings/smtp',
    layer: 'tenant',
    tag,
    summary: 'Set the mail server; an empty host clears it',
    json: SmtpIn,
    answers: { 200: SettingsOut },
    handler: async (c) => {
      const ctx = c.get('tenant')
      await putSmtp(ctx, c.req.valid('json'))
      return c.json(presentSettings(await readSettings(ctx), ctx))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/tenant/settings/smtp/test',
    layer: 'tenant',
    tag,
    summary: 'Send a test message; 409 without settings, 502 when it cannot be sent',
    query: z.object({ to: addressField }),
    answers: { 204: 'empty' },
    errors: [409, 429, 502],
    rate: 'smtpTest',
    handler: async (c) => {
      const lang = pickLanguage(c.req.header('accept-language'))
      await testSmtp(c.get('tenant'), c.req.valid('query').to, lang)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/tenant/oauth/{provider}',
    layer: 'tenant',
    tag,
    summary: 'Set the credentials of a sign-in provider',
    params: provider,
    json: OauthIn,
    answers: { 204: 'empty' },
    handler: async (c) => {
      await putOauth(c.get('tenant'), c.req.valid('param').provider, c.req.valid('json'))
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/tenant/oauth/{provider}',
    layer: 'tenant',
    tag,
    summary: 'Clear the credentials of a sign-in provider',
    params: provider,
    answers: { 204: 'empty' },
    handler: async (c) => {
      await clearOauth(c.get('tenant'), c.req.valid('param').provider)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/tenant/oauth/{provider}/enabled',
    layer: 'tenant',
    tag,
    summary: 'Switch a sign-in provider on or off, with or without credentials',
    params: provider,
    json: z.object({ enabled: z.boolean() }),
    answers: { 204: 'empty' },
    handler: async (c) => {
      const { enabled } = c.req.valid('json')
      await enableOauth(c.get('tenant'), c.req.valid('param').provider, enabled)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/privacy',
    layer: 'tenant',
    tag,
    summary: 'Privacy mode, and whose model answers, never its key',
    answers: { 200: PrivacyOut },
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(await presentPrivacy(ctx, await readTenant(ctx)))
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/tenant/privacy',
    layer: 'tenant',
    tag,
    summary:
      'Switch privacy mode. Set a model of your own, which is tried first, or remove it (null)',
    json: PrivacyIn,
    rate: 'privacy',
    answers: { 200: PrivacyOut },
    errors: [409, 502],
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(await presentPrivacy(ctx, await putPrivacy(ctx, c.req.valid('json'))))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/logos/{tenant_id}/{file}',
    layer: 'public',
    tag: 'Pages',
    onSites: true,
    summary: "A tenant's logo",
    params: z.object({ tenant_id: z.string(), file: z.string() }),
    answers: { 200: { media: 'image/*' } },
    errors: [404],
    handler: async (c) => {
      const { tenant_id, file } = c.req.valid('param')
      const site = c.get('site')
      if (site !== null && site.tenantId !== tenant_id) throw notFound('Logo')
      const { body, mime } = await readLogo(c.get('base'), tenant_id, file)
      return c.body(body, 200, {
        'Content-Type': mime,
        'Content-Security-Policy': "sandbox; default-src 'none'",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Cache-Control': 'public, no-cache',
      })
    },
  }),
]
