import type { BaseContext } from '../context'
import { isTaken } from '../db/sql-errors'
import { accounts, userProfiles } from '../db/tables/users'
import { conflict } from '../errors'
import { type HashTurn, hashPassword } from '../platform/crypto/password'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { speaks } from '../tenants/tenant-facts'
import { pickLanguage } from '../wire/accept-language'
import type { RegisterIn } from './account-fields'
import { addUser, insertUser, type NewUser } from './create-user'
import { findAccount, indexEmail } from './find-account'
import { findNativeTenant } from './find-tenant'
import { findVisitor } from './find-visitor'
import { inHashLine } from './hash-line'
import { type IssuedToken, issueToken } from './issue-token'
import { limitAccount } from './limit-account'
import { requireAnswers, sealAnswers } from './onboarding'
import { UserFields } from './user-fields'

/**
 * Makes a native account and sends its confirmation mail. The new user may be used at once, unconfirmed.
 * @param acceptLanguage decides the language of mails where the body names none.
 * @throws notFound, forbidden; ApiError 422 without an answer that the tenant asks for; rateLimited; badRequest for a visitor's token that is not good; conflict when the address has an account.
 */
export function registerAccount(
  base: BaseContext,
  input: RegisterIn,
  acceptLanguage: string | undefined,
): Promise<IssuedToken> {
  return inHashLine(base, (turn) => makeAccount(base, input, acceptLanguage, turn))
}

async function makeAccount(
  base: BaseContext,
  input: RegisterIn,
  acceptLanguage: string | undefined,
  turn: HashTurn,
): Promise<IssuedToken> {
  const tenant = await findNativeTenant(base, input.tenant_id)
  requireAnswers(tenant.onboardingConfig, input)
  const index = await indexEmail(base, tenant, input.email)
  await limitAccount(base, 'register', tenant.id, index)
  const visitor = input.anonymous_token
    ? await findVisitor(base, tenant.id, input.anonymous_token)
    : null
  if (await findAccount(base.db, tenant.id, index)) throw taken()
  const password = await hashPassword(input.password, turn)
  const lang = pickLanguage(input.lang ?? acceptLanguage, speaks(tenant.profile))
  const statementsOf = async (made: NewUser) => {
    const whose = { userId: made.user.id, tenantId: tenant.id, updatedAt: base.now }
    const fields = await UserFields.load(base, tenant, made.user.id)
    const account = {
      ...whose,
      emailIndex: index,
      email: await fields.seal('accounts', 'email', input.email),
      emailVerified: false,
      password,
      visitorId: visitor?.userId ?? null,
      createdAt: base.now,
    }
    const answers = await sealAnswers(base, tenant.onboardingConfig, fields, input, lang)
    const profile =
      Object.keys(answers).length > 0
        ? [base.db.insert(userProfiles).values({ ...whose, ...answers })]
        : []
    return [
      ...insertUser(base.db, made),
      base.db.insert(accounts).values(account),
      ...profile,
    ] as const
  }
  const made = await addUser(base, tenant, { source: 'email', lang }, statementsOf).catch(
    (error: unknown) => {
      throw isTaken(error, 'accounts.') ? taken() : error
    },
  )
  const { id: userId } = made.user
  const { id: spaceId, tag } = made.space
  const carry = visitor
    ? [
        {
          type: 'remembered.carry' as const,
          tenantId: tenant.id,
          from: visitor,
          to: { userId, spaceId, tag },
        },
      ]
    : []
  await sendJobs(base.env, [
    {
      type: 'account.mail',
      id: newId(base.now),
      purpose: 'verify',
      tenantId: tenant.id,
      userId,
    },
    ...carry,
  ])
  return issueToken(base, made, false)
}

const taken = () => conflict('Email already registered')
