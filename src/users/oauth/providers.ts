import * as z from 'zod'
import type { ProviderName } from '../../config/names'
import type { Config } from '../../config/read-config'

/** What a provider says about a person. The address is null unless the provider itself confirmed it. */
export interface ProviderUser {
  subject: string
  verifiedEmail: string | null
}

export interface Provider {
  name: ProviderName
  authorizeUrl: string
  tokenUrl: string
  scope: string
  /** Addresses that are asked with the access token, and what their answers mean together. */
  userUrls: readonly string[]
  /** @returns null when the answers are not what the provider promises. */
  read(answers: readonly unknown[]): ProviderUser | null
}

const email = z.string().min(3).max(254)

const GoogleUser = z.object({
  sub: z.string().min(1).max(255),
  email: email.optional(),
  email_verified: z.unknown().optional(),
})

const GithubUser = z.object({ id: z.int().positive() })
const GithubEmails = z
  .array(z.object({ email, primary: z.boolean(), verified: z.unknown() }))
  .max(1000)

/** The one registry: a further provider is an entry here and a name in PROVIDERS. */
const PROVIDERS_BY_NAME: Record<ProviderName, Provider> = {
  google: {
    name: 'google',
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    scope: 'openid email',
    userUrls: ['https://openidconnect.googleapis.com/v1/userinfo'],
    read([answer]) {
      const user = GoogleUser.safeParse(answer)
      if (!user.success) return null
      const isVerified = user.data.email_verified === true
      return {
        subject: user.data.sub,
        verifiedEmail: (isVerified && user.data.email) || null,
      }
    },
  },
  github: {
    name: 'github',
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    scope: 'read:user user:email',
    userUrls: ['https://api.github.com/user', 'https://api.github.com/user/emails'],
    read([answer, addresses]) {
      const user = GithubUser.safeParse(answer)
      const emails = GithubEmails.safeParse(addresses)
      if (!user.success || !emails.success) return null
      const primary = emails.data.find((one) => one.primary && one.verified === true)
      return { subject: String(user.data.id), verifiedEmail: primary?.email ?? null }
    },
  },
}

/** A provider with the addresses of this deployment: `OAUTH_GOOGLE_TOKEN_URL` and the like put a stand-in in its place. */
export function findProvider(config: Config, name: ProviderName): Provider {
  const known = PROVIDERS_BY_NAME[name]
  const at = (endpoint: string, url: string) =>
    config.oauthUrls[`OAUTH_${name.toUpperCase()}_${endpoint}_URL`] ?? url
  const [user = '', emails] = known.userUrls
  return {
    ...known,
    authorizeUrl: at('AUTHORIZE', known.authorizeUrl),
    tokenUrl: at('TOKEN', known.tokenUrl),
    userUrls: [at('USER', user), ...(emails === undefined ? [] : [at('EMAILS', emails)])],
  }
}
