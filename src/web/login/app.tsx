import { useEffect, useState } from 'preact/hooks'
import type { Language } from '../../config/names'
import type { LoginBootstrap } from '../../pages/types'
import { carryVisitor } from '../kit/net/carry-visitor'
import { findFrame } from '../kit/net/hand-over'
import { sourceOf } from '../kit/net/token-source'
import { answerOnboarding, callAuth, Refused, type Session } from './api'
import { AskedFields, answersBody, NO_ANSWERS, textIn } from './asked'
import { Field, PasswordField } from './fields'
import { returnPath } from './return-path'
import { dropToken, keepToken, noteStart, noteUnconfirmed, storedToken, takeStart } from './session'
import { duration, type LoginTranslate, type MessageKey } from './words'

type View = 'signIn' | 'register' | 'forgot' | 'reset' | 'verify' | 'onboarding' | 'signedIn'

interface Opening {
  view: View
  token: string
  error: MessageKey | null
  /** Just back from a provider, signed in by the token. */
  entered?: true
  /** For how many seconds the token is good. */
  expiresIn?: number
}

const PROVIDER_NAMES = { google: 'Google', github: 'GitHub' }

/** What the address asks for. Its fragment is taken away at once: a token must not stay in the history. */
function readOpening(boot: LoginBootstrap): Opening {
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
const byProvider = ({ token, expiresIn = 0 }: Opening): Session => ({
  access_token: token,
  expires_in: expiresIn,
  email_verified: true,
})

/** Before the visitor's token gives way to the one of whoever signed in. */
function bringVisitor(tenantId: string, access: string): void {
  const visitor = storedToken(tenantId, Date.now())
  if (visitor !== null && sourceOf(visitor) === 'anonymous') void carryVisitor(visitor, access)
}

interface Props {
  boot: LoginBootstrap
  lang: Language
  t: LoginTranslate
}

export function LoginApp({ boot, lang, t }: Props) {
  const [opening] = useState(() => readOpening(boot))
  const [view, setView] = useState<View>(opening.view)
  const [busy, setBusy] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const [refusal, setRefusal] = useState(opening.error ? new Refused(opening.error) : null)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [answers, setAnswers] = useState(NO_ANSWERS)
  const [session, setSession] = useState<Session | null>(null)
  const tenantId = boot.tenant.id
  const next = returnPath(location.search, location.origin)
  const [tellFrame] = useState(() => findFrame(location.search))

  useEffect(() => {
    if (opening.entered) void attempt(() => enter(byProvider(opening)))
  }, [opening])

  const show = (to: View, said: string | null = null) => {
    setView(to)
    setNote(said)
    setRefusal(null)
    setPassword('')
  }

  /** Runs one request; its refusal is shown where it belongs. */
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setRefusal(null)
    setNote(null)
    try {
      await work()
    } catch (error) {
      setRefusal(error instanceof Refused ? error : new Refused('failed'))
    } finally {
      setBusy(false)
    }
  }

  /** The frame that opened this window goes on as the person, and nothing of them stays here; else this page does. */
  const enter = async (made: Session, bringsVisitor = true) => {
    if (await tellFrame?.(made.access_token)) {
      close()
      return
    }
    if (bringsVisitor) bringVisitor(tenantId, made.access_token)
    keepToken(tenantId, made.access_token, made.expires_in, Date.now())
    noteUnconfirmed(tenantId, made.email_verified ? null : boot.mail ? 'sent' : 'no_mail')
    setSession(made)
    if (next !== null) location.assign(next)
    else show('signedIn')
  }

  const signIn = () =>
    attempt(async () => {
      const made = await callAuth<Session>('login', lang, { tenant_id: tenantId, email, password })
      await enter(made)
    })

  const register = () =>
    attempt(async () => {
      // A frame brings its own visitor.
      const visitor = tellFrame ? null : storedToken(tenantId, Date.now())
      const body = { tenant_id: tenantId, email, password, lang, ...answersBody(answers) }
      const carried = sourceOf(visitor) === 'anonymous' ? { anonymous_token: visitor } : {}
      try {
        const made = await callAuth<Session>('register', lang, { ...body, ...carried })
        await enter(made, tellFrame !== null)
      } catch (error) {
        // The visitor of this browser may be gone; the account is made all the same.
        if (!(error instanceof Refused) || error.key !== 'expired') throw error
        await enter(await callAuth<Session>('register', lang, body))
      }
    })

  const answer = () =>
    attempt(async () => {
      await answerOnboarding(opening.token, lang, answersBody(answers))
      await enter(byProvider(opening))
    })

  const goOn = (event: Event) => {
    const token = tellFrame && storedToken(tenantId, Date.now())
    if (!token || next === null) return
    event.preventDefault()
    void attempt(async () => ((await tellFrame(token)) ? close() : location.assign(next)))
  }

  const askForMail = (path: 'forgot-password' | 'resend-verification') =>
    attempt(async () => {
      await callAuth(path, lang, { tenant_id: tenantId, email })
      setNote(t('linkSent'))
    })

  const reset = () =>
    attempt(async () => {
      await callAuth('reset-password', lang, { token: opening.token, new_password: password })
      dropToken(tenantId)
      show('signIn', t('passwordSet'))
    })

  const verify = () =>
    attempt(async () => {
      await callAuth(`verify?token=${encodeURIComponent(opening.token)}`, lang)
      noteUnconfirmed(tenantId, null)
      const isKnown = sourceOf(storedToken(tenantId, Date.now())) === 'email'
      show(isKnown ? 'signedIn' : 'signIn', t('confirmed'))
    })

  const errorOf = (field: 'email' | 'password') =>
    refusal?.field === field ? t(refusal.key) : null
  const general =
    refusal && refusal.field === null
      ? t(refusal.key, refusal.key === 'wait' ? { time: duration(lang, refusal.waitS) } : {})
      : null
  const emailField = (
    <Field
      id="email"
      type="email"
      label={t('email')}
      autocomplete={view === 'signIn' ? 'username' : 'email'}
      value={email}
      onInput={setEmail}
      error={errorOf('email')}
    />
  )
  const passwordField = (isNew: boolean) => (
    <PasswordField
      label={t(view === 'reset' ? 'newPassword' : 'password')}
      hint={isNew ? t('passwordRule') : null}
      isNew={isNew}
      value={password}
      onInput={setPassword}
      error={errorOf('password')}
      t={t}
    />
  )
  const askedFields = (
    <AskedFields
      asks={boot.onboarding}
      lang={lang}
      answers={answers}
      refusal={refusal}
      onChange={setAnswers}
      t={t}
    />
  )
  const greeting = textIn(boot.onboarding?.welcome, lang)
  const welcome =
    greeting === null ? null : (
      <p class="welcome" dir="auto">
        {greeting}
      </p>
    )
  const submit = (work: () => Promise<void>) => (event: Event) => {
    event.preventDefault()
    if (!busy) void work()
  }
  const button = (key: MessageKey) => (
    <button type="submit" class="primary" aria-disabled={busy}>
      {t(key)}
    </button>
  )
  const link = (key: MessageKey, act: () => void) => (
    <button type="button" class="link" onClick={act}>
      {t(key)}
    </button>
  )

  return (
    <main class="login">
      <header class="who">
        {boot.tenant.logoUrl === null ? null : <img src={boot.tenant.logoUrl} alt="" />}
        <p class={boot.tenant.logoUrl === null ? 'tenant' : 'sr'}>
          <bdi>{boot.tenant.name}</bdi>
        </p>
      </header>
      <h1>{t(TITLES[view])}</h1>
      <p class="note" role="status" hidden={note === null}>
        {note}
      </p>
      <p class="error" role="alert" hidden={general === null}>
        {general}
      </p>
      {!boot.native ? (
        <>
          <p dir="auto">{t('proxy', { tenant: boot.tenant.name })}</p>
          {boot.tenant.website === null ? null : (
            <a class="primary" href={boot.tenant.website}>
              {t('toWebsite')}
            </a>
          )}
        </>
      ) : view === 'signIn' ? (
        <>
          {boot.oauth.map((provider) => (
            <a
              key={provider}
              class="provider"
              href={startAddress(tenantId, provider)}
              onClick={noteStart}
            >
              {t('withProvider', { provider: PROVIDER_NAMES[provider] })}
            </a>
          ))}
          {boot.oauth.length > 0 ? <p class="or">{t('or')}</p> : null}
          <form onSubmit={submit(signIn)}>
            {emailField}
            {passwordField(false)}
            {button('signIn')}
          </form>
          {link('forgot', () => show('forgot'))}
          <p class="aside">
            {t('noAccount')} {link('register', () => show('register'))}
          </p>
        </>
      ) : view === 'register' ? (
        <>
          <form onSubmit={submit(register)}>
            {welcome}
            {emailField}
            {passwordField(true)}
            {askedFields}
            {button('register')}
          </form>
          <p class="aside">
            {t('haveAccount')} {link('signIn', () => show('signIn'))}
          </p>
        </>
      ) : view === 'onboarding' ? (
        <form onSubmit={submit(answer)}>
          {welcome}
          {askedFields}
          {button('goOn')}
        </form>
      ) : view === 'forgot' ? (
        <>
          {boot.mail ? (
            <>
              <p>{t('forgotIntro')}</p>
              <form onSubmit={submit(() => askForMail('forgot-password'))}>
                {emailField}
                {button('sendLink')}
              </form>
            </>
          ) : (
            <p dir="auto">{t('noMailReset', { tenant: boot.tenant.name })}</p>
          )}
          {link('backToSignIn', () => show('signIn'))}
        </>
      ) : view === 'reset' ? (
        <>
          <form onSubmit={submit(reset)}>
            {passwordField(true)}
            {button('setPassword')}
          </form>
          {link('forgot', () => show('forgot'))}
        </>
      ) : view === 'verify' ? (
        <>
          <p>{t('confirmIntro')}</p>
          <form onSubmit={submit(verify)}>{button('confirmEmail')}</form>
          {link('backToSignIn', () => show('signIn'))}
        </>
      ) : (
        <>
          <p>{t('signedIn')}</p>
          {session && !session.email_verified ? (
            <>
              <p>{t(boot.mail ? 'unconfirmed' : 'unconfirmedNoMail')}</p>
              {boot.mail ? link('resend', () => void askForMail('resend-verification')) : null}
            </>
          ) : null}
          {next === null ? null : (
            <a class="primary" href={next} onClick={goOn}>
              {t('goOn')}
            </a>
          )}
          {link('signOut', () => {
            dropToken(tenantId)
            show('signIn')
          })}
        </>
      )}
    </main>
  )
}

const TITLES: Record<View, MessageKey> = {
  signIn: 'signIn',
  register: 'register',
  forgot: 'forgot',
  reset: 'setPassword',
  verify: 'confirmEmail',
  onboarding: 'oneMoreStep',
  signedIn: 'signIn',
}

function startAddress(tenantId: string, provider: string): string {
  const redirect = location.pathname + location.search
  return `/auth/oauth/${provider}/start?${new URLSearchParams({ tenant_id: tenantId, redirect })}`
}
