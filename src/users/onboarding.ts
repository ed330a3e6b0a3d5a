import { eq } from 'drizzle-orm'
import { type Language, PROVIDERS } from '../config/names'
import type { BaseContext, UserContext } from '../context'
import { findOwn } from '../db/own'
import type { TenantRow } from '../db/tables/tenants'
import { type UserProfileRow, type UserRow, userProfiles } from '../db/tables/users'
import { ApiError, forbidden } from '../errors'
import { sha256, toHex } from '../platform/crypto/bytes'
import type { Onboarding } from '../tenants/onboarding'
import { askedFields, textIn } from '../tenants/onboarding-text'
import type { OnboardingIn } from './account-fields'
import { forgetUserFacts } from './user-facts'
import { UserFields } from './user-fields'

type AskedField = keyof OnboardingIn
type Known = Partial<Pick<UserProfileRow, 'prefName' | 'contactPhone' | 'prefCity' | 'consentAt'>>

const FIELD_OF = { pref_name: 'pref_name', phone: 'contact_phone', city: 'pref_city' } as const

/** What the tenant asks of new people, by the names in which they answer. Pure. */
function asksOf(onboarding: Onboarding | null): AskedField[] {
  if (onboarding === null) return []
  const fields: AskedField[] = askedFields(onboarding).map((field) => FIELD_OF[field])
  return textIn(onboarding.consent_text, 'en') === null ? fields : [...fields, 'consent']
}

/** What of it nobody has answered: not in what is sent, nor in what is known. Pure. */
function missingOf(onboarding: Onboarding | null, sent: OnboardingIn, known: Known): AskedField[] {
  const answers: Record<AskedField, unknown> = {
    pref_name: sent.pref_name || known.prefName,
    contact_phone: sent.contact_phone || known.contactPhone,
    pref_city: sent.pref_city || known.prefCity,
    consent: sent.consent || known.consentAt,
  }
  return asksOf(onboarding).filter((field) => !answers[field])
}

/** @throws ApiError 422 that names each answer that is missing. */
export function requireAnswers(
  onboarding: Onboarding | null,
  sent: OnboardingIn,
  known: Known = {},
): void {
  const missing = missingOf(onboarding, sent, known)
  if (missing.length === 0) return
  const issues = missing.map((field) => ({
    type: 'missing',
    loc: ['body', field],
    msg: 'Field required',
  }))
  throw new ApiError('validation', issues)
}

/** The answers as they are stored; consent with its time and the hash of the text in the language that the user read. */
export async function sealAnswers(
  base: Pick<BaseContext, 'now'>,
  onboarding: Onboarding | null,
  fields: UserFields,
  sent: OnboardingIn,
  lang: Language,
): Promise<Partial<UserProfileRow>> {
  const seal = (column: string, text: string) => fields.seal('user_profiles', column, text)
  const text = textIn(onboarding?.consent_text, lang)
  return {
    ...(sent.pref_name && { prefName: await seal('prefName', sent.pref_name) }),
    ...(sent.contact_phone && { contactPhone: await seal('contactPhone', sent.contact_phone) }),
    ...(sent.pref_city && { prefCity: sent.pref_city }),
    ...(sent.consent &&
      text !== null && { consentAt: base.now, consentHash: toHex(await sha256(text)) }),
  }
}

/** Who came by a provider was asked nothing on the way in. Everybody else answered, or is exempt. */
const isAsked = (source: string) => PROVIDERS.some((provider) => provider === source)

/** What a person who came by a provider still has to answer. */
export async function findMissing(
  { db }: Pick<BaseContext, 'db'>,
  tenant: Pick<TenantRow, 'id' | 'onboardingConfig'>,
  user: Pick<UserRow, 'id' | 'source'>,
): Promise<AskedField[]> {
  if (!isAsked(user.source) || asksOf(tenant.onboardingConfig).length === 0) return []
  const row = await findOwn(db, userProfiles, tenant.id, eq(userProfiles.userId, user.id))
  return missingOf(tenant.onboardingConfig, {}, row ?? {})
}

const ASKS_FIRST: Record<Language, string> = {
  en: 'Before the chat a few answers are needed. Sign in again to give them:',
  zh: '开始聊天前需要您先回答几个问题，请重新登录后填写：',
  'zh-TW': '開始聊天前需要您先回答幾個問題，請重新登入後填寫：',
  es: 'Antes de chatear hacen falta unas respuestas. Vuelve a iniciar sesión para darlas:',
  ru: 'Перед чатом нужно ответить на несколько вопросов. Войдите снова, чтобы сделать это:',
  fr: 'Avant de discuter, quelques réponses sont nécessaires. Reconnectez-vous pour les donner :',
  ar: 'قبل المحادثة نحتاج إلى بعض الإجابات. سجّل الدخول مجددًا لتقديمها:',
}

/** Before a turn. @throws forbidden while answers are missing, with the page that asks for them. */
export async function requireOnboarded(ctx: UserContext, lang: Language): Promise<void> {
  const { tenant, origin } = ctx
  if ((await findMissing(ctx, tenant, ctx.user)).length === 0) return
  const page = `${origin}/login/${tenant.alias ?? tenant.id}?lang=${lang}`
  throw forbidden(`${ASKS_FIRST[lang]} ${page}`, 'onboarding_required')
}

/** Keeps the answers. @throws ApiError 422 while one is missing. */
export async function answerOnboarding(
  ctx: UserContext,
  sent: OnboardingIn,
  lang: Language,
): Promise<void> {
  const { db, tenant, user } = ctx
  const row = await findOwn(db, userProfiles, tenant.id, eq(userProfiles.userId, user.id))
  requireAnswers(tenant.onboardingConfig, sent, row)
  const fields = await UserFields.load(ctx, tenant, user.id)
  const answers = await sealAnswers(ctx, tenant.onboardingConfig, fields, sent, lang)
  const stored = { ...answers, updatedAt: ctx.now }
  await db
    .insert(userProfiles)
    .values({ userId: user.id, tenantId: tenant.id, ...stored })
    .onConflictDoUpdate({ target: userProfiles.userId, set: stored })
  await forgetUserFacts(ctx)
}
