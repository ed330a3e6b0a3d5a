import * as z from 'zod'
import { listPublishedAgents } from '../../agents/published'
import type { EdgePlace } from '../../chat/turn'
import { readPlace } from '../../http/edge-place'
import { defineRoute } from '../../http/route'
import { hasTranscription } from '../../models/transcribe'
import { speaks } from '../../tenants/tenant-facts'
import { OnboardingIn } from '../../users/account-fields'
import { answerOnboarding } from '../../users/onboarding'
import { readOwnNames } from '../../users/own-names'
import {
  MyProfileIn,
  MyProfileOut,
  type Profile,
  readProfile,
  updateProfile,
} from '../../users/profile'
import { pickLanguage } from '../../wire/accept-language'

const tag = 'Me'

export const meIdentityRoutes = [
  defineRoute({
    method: 'GET',
    path: '/me',
    layer: 'user',
    tag,
    summary: 'Who the caller is',
    answers: { 200: z.record(z.string(), z.string()) },
    handler: async (c) => {
      const ctx = c.get('user')
      const { user, tenant, space } = ctx
      const { lang, externalId } = await readOwnNames(ctx)
      return c.json({
        user_id: user.id,
        tenant_id: tenant.id,
        external_user_id: user.source === 'proxy' ? externalId : user.id,
        space_id: space.id,
        auth: user.source,
        lang: lang ?? pickLanguage(c.req.header('accept-language')),
      })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/me/features',
    layer: 'user',
    tag,
    summary: 'What this deployment can do: `stt` is speech to text',
    answers: { 200: z.object({ stt: z.boolean() }) },
    handler: (c) => c.json({ stt: hasTranscription(c.env) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/me/agents',
    layer: 'user',
    tag,
    summary: 'Names of the published agents',
    answers: { 200: z.array(z.string()) },
    handler: async (c) =>
      c.json((await listPublishedAgents(c.get('user'))).map((agent) => agent.name)),
  }),
  defineRoute({
    method: 'GET',
    path: '/me/profile',
    layer: 'user',
    tag,
    summary: 'Name, contacts, city and zone, with what the edge suggests',
    answers: { 200: MyProfileOut },
    handler: async (c) => {
      const ctx = c.get('user')
      return c.json(present(await readProfile(ctx), readPlace(c.req.raw, ctx)))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/me/profile',
    layer: 'user',
    tag,
    summary: 'Change the profile; an empty text or null clears a field',
    json: MyProfileIn,
    answers: { 200: MyProfileOut },
    handler: async (c) => {
      const ctx = c.get('user')
      const profile = await updateProfile(ctx, c.req.valid('json'))
      return c.json(present(profile, readPlace(c.req.raw, ctx)))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/me/onboarding',
    layer: 'user',
    tag,
    summary: 'Answer what the tenant asks new people; the first chat waits for it',
    json: OnboardingIn,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('user')
      const lang = pickLanguage(c.req.header('accept-language'), speaks(ctx.tenant.profile))
      await answerOnboarding(ctx, c.req.valid('json'), lang)
      return c.body(null, 204)
    },
  }),
]

function present(profile: Profile, place: EdgePlace | null) {
  const { city = null, timezone = null, country = null } = place ?? {}
  return {
    pref_name: profile.prefName,
    contact_email: profile.contactEmail,
    contact_phone: profile.contactPhone,
    pref_city: profile.prefCity,
    pref_timezone: profile.prefTimezone,
    suggestion: city || timezone || country ? { city, timezone, country } : null,
  }
}
