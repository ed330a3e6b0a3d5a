import type { LoginBootstrap } from '../../pages/types'
import { sourceOf } from '../kit/net/token-source'
import type { Session } from './api'
import { storedToken, takeStart } from './session'
import type { MessageKey } from './words'

export type View = 'signIn' | 'register' | 'forgot' | 'reset' | 'verify' | 'onboarding' | 'signedIn'

export interface Opening {
  view: View
  token: string
  error: MessageKey | null
  /** Just back from a provider, signed in by the token. */
  entered?: true
  /** For how many seconds the token is good. */
  expiresIn?: number
}

/** What the address asks for. Its fragment is taken away at once: a token must not stay in the history. */
export function readOpening(boot: LoginBootstrap): Opening {
  const values = new URLSearchParams(location.hash.slice(1))
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  const verify = values.get('verify')
  const reset = values.get('reset')
  const access = values.get('access_token')
  const began = takeStart()
  if (verify) return { view: 'verify', token: verify, error: null }
  if (reset) return { view: 'reset', token: reset, error: null }
  if (access && began) {
    const expiresIn = Number(values.get('expires_in')) || 3600
    if (values.has('onboarding'))
      return { view: 'onboarding', token: access, error: null, expiresIn }
    return { view: 'signedIn', token: access, error: null, entered: true, expiresIn }
  }
  if (values.has('error') && began) {
    const isCancelled = values.get('error') === 'sign_in_cancelled'
    return { view: 'signIn', token: '', error: isCancelled ? 'cancelled' : 'failed' }
  }
  const token = storedToken(boot.tenant.id, Date.now())
  const isKnown = token !== null && sourceOf(token) !== 'anonymous'
  return { view: isKnown ? 'signedIn' : 'signIn', token: '', error: null }
}

/** Of somebody who came by a provider, whose address nobody has to confirm. */
export const byProvider = ({ token, expiresIn = 0 }: Opening): Session => ({
  access_token: token,
  expires_in: expiresIn,
  email_verified: true,
})
