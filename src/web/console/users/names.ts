interface Named {
  pref_name: string | null
  email: string | null
  external_user_id: string
}

/** What a user is called in lists and headings: the best that is known. */
export const nameOf = ({ pref_name, email, external_user_id }: Named): string =>
  pref_name || email || external_user_id

const SIGN_INS = ['proxy', 'email', 'anonymous', 'google', 'github'] as const

/** The word for how somebody signs in; a provider that came later is shown as it is called. */
export function signInWord(auth: string) {
  const known = SIGN_INS.find((one) => one === auth)
  return known ? (`signIn_${known}` as const) : null
}

const CHANNELS = ['web', 'api', 'openai', 'telegram'] as const

/** The word for where a chat is held; null for one that came later. */
export function channelWord(channel: string) {
  const known = CHANNELS.find((one) => one === channel)
  return known ? (`channel_${known}` as const) : null
}

/** What has to be typed to erase somebody: the name that the page shows, with blanks as they are typed. */
export const typedName = (user: Named): string => nameOf(user).replaceAll(/\s+/gu, ' ').trim()
