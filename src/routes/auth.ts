import * as z from 'zod'
import { PROVIDERS } from '../config/names'
import { defineRoute } from '../http/route'
import { Accepted, EmailIn, LoginIn, RegisterIn, ResetIn } from '../users/account-fields'
import { requestAccountMail } from '../users/account-mails'
import { mintAnonymousToken } from '../users/anonymous'
import { listMethods } from '../users/list-methods'
import { logIn } from '../users/log-in'
import { keepBrowserSecret, readBrowserSecret } from '../users/oauth/browser-cookie'
import { finishOauth } from '../users/oauth/finish-oauth'
import { startOauth } from '../users/oauth/start-oauth'
import { issueProxyToken } from '../users/proxy-token'
import { registerAccount } from '../users/register-account'
import { AuthMethodsOut, TokenOut } from '../users/schema'
import { resetPassword, verifyEmail } from '../users/use-link'
import { tenantName } from '../wire/fields'

const tag = 'End-user authentication'
const provider = z.object({ provider: z.enum(PROVIDERS) })
const onward = { 302: 'empty' as const }

export const authRoutes = [
  defineRoute({
    method: 'POST',
    path: '/auth/anonymous',
    also: ['/v1/auth/anonymous'],
    layer: 'public',
    tag,
    summary: 'A token for a visitor without an account',
    json: z.object({ tenant_id: tenantName, agent: z.string().max(64).nullable().optional() }),
    answers: { 200: TokenOut },
    errors: [403, 404, 429],
    rate: 'anonymous',
    handler: async (c) =>
      c.json(await mintAnonymousToken(c.get('base'), c.req.valid('json').tenant_id)),
  }),
  defineRoute({
    method: 'GET',
    path: '/auth/methods',
    also: ['/v1/auth/methods'],
    layer: 'public',
    tag,
    summary: 'How people sign in at a tenant',
    query: z.object({ tenant_id: tenantName }),
    answers: { 200: AuthMethodsOut },
    errors: [403, 404],
    handler: async (c) => c.json(await listMethods(c.get('base'), c.req.valid('query').tenant_id)),
  }),
  defineRoute({
    method: 'POST',
    path: '/auth/register',
    also: ['/v1/auth/register'],
    layer: 'public',
    tag,
    summary: 'Make an account; a mail asks to confirm the address',
    json: RegisterIn,
    answers: { 200: TokenOut },
    errors: [400, 403, 404, 409, 429],
    rate: 'registerAddress',
    handler: async (c) =>
      c.json(
        await registerAccount(c.get('base'), c.req.valid('json'), c.req.header('accept-language')),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: '/auth/verify',
    also: ['/v1/auth/verify'],
    layer: 'public',
    tag,
    summary: 'Confirm the address that the token was sent to',
    query: z.object({ token: z.string().max(512) }),
    answers: { 200: Accepted },
    errors: [400, 429],
    rate: 'oneTimeTokens',
    takesEffect: true,
    handler: async (c) => {
      await verifyEmail(c.get('base'), c.req.valid('query').token)
      return c.json({ status: 'ok' as const })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/auth/resend-verification',
    also: ['/v1/auth/resend-verification'],
    layer: 'public',
    tag,
    summary:
      'Send the confirmation mail again; the answer does not tell whether there is an account',
    json: EmailIn,
    answers: { 200: Accepted },
    errors: [403, 404, 429],
    rate: 'mailAddress',
    handler: async (c) => {
      await requestAccountMail(c.get('base'), 'verify', c.req.valid('json'))
      return c.json({ status: 'ok' as const })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/auth/forgot-password',
    also: ['/v1/auth/forgot-password'],
    layer: 'public',
    tag,
    summary: 'Send a link for a new password; the answer does not tell whether there is an account',
    json: EmailIn,
    answers: { 200: Accepted },
    errors: [403, 404, 429],
    rate: 'mailAddress',
    handler: async (c) => {
      await requestAccountMail(c.get('base'), 'reset', c.req.valid('json'))
      return c.json({ status: 'ok' as const })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/auth/reset-password',
    also: ['/v1/auth/reset-password'],
    layer: 'public',
    tag,
    summary: 'Set a new password; ends all sessions and logs nobody in',
    json: ResetIn,
    answers: { 200: Accepted },
    errors: [400, 429],
    rate: 'oneTimeTokens',
    handler: async (c) => {
      const { token, new_password } = c.req.valid('json')
      await resetPassword(c.get('base'), token, new_password)
      return c.json({ status: 'ok' as const })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/auth/login',
    also: ['/v1/auth/login'],
    layer: 'public',
    tag,
    summary: 'A token for e-mail and password; every refusal looks the same',
    json: LoginIn,
    answers: { 200: TokenOut },
    errors: [401, 403, 404, 429],
    rate: 'loginAddress',
    handler: async (c) => c.json(await logIn(c.get('base'), c.req.valid('json'))),
  }),
  // 302 to the provider.
  defineRoute({
    method: 'GET',
    path: '/auth/oauth/{provider}/start',
    also: ['/v1/auth/oauth/{provider}/start'],
    layer: 'public',
    tag,
    summary: 'Begin a sign-in at a provider',
    params: provider,
    query: z.object({ tenant_id: tenantName, redirect: z.string().optional() }),
    answers: onward,
    errors: [403, 404, 429],
    rate: 'oauth',
    takesEffect: true,
    handler: async (c) => {
      const { secret, setCookie } = keepBrowserSecret(c.req.header('cookie'))
      const { provider: name } = c.req.valid('param')
      const location = await startOauth(c.get('base'), name, c.req.valid('query'), secret)
      return c.body(null, 302, { Location: location, 'Set-Cookie': setCookie })
    },
  }),
  // 302 to where the sign-in began, with the token in the fragment.
  defineRoute({
    method: 'GET',
    path: '/auth/oauth/{provider}/callback',
    also: ['/v1/auth/oauth/{provider}/callback'],
    layer: 'public',
    tag,
    summary: 'Where a provider sends people back to',
    params: provider,
    query: z.object({
      code: z.string().max(4096).optional(),
      state: z.string().max(512).optional(),
      error: z.string().optional(),
    }),
    answers: onward,
    errors: [400, 429],
    rate: 'oauth',
    takesEffect: true,
    handler: async (c) => {
      const secret = readBrowserSecret(c.req.header('cookie'))
      const { provider: name } = c.req.valid('param')
      const location = await finishOauth(c.get('base'), name, c.req.valid('query'), secret)
      return c.body(null, 302, { Location: location })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/users/token',
    layer: 'user',
    keyOnly: true,
    tag,
    summary: "A token for the browser of a user that the tenant's server vouches for",
    answers: { 200: TokenOut },
    handler: async (c) => c.json(await issueProxyToken(c.get('user'))),
  }),
]
