import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Language } from '../../config/names'
import type { LoginBootstrap } from '../../pages/types'
import type { FieldName } from './api'
import { AskedFields, textIn } from './asked'
import { Field, PasswordField } from './fields'
import type { View } from './opening'
import { noteStart } from './session'
import { useLogin } from './use-login'
import type { LoginTranslate, MessageKey } from './words'

const PROVIDER_NAMES = { google: 'Google', github: 'GitHub' }

interface Props {
  boot: LoginBootstrap
  lang: Language
  t: LoginTranslate
}

export function LoginApp({ boot, lang, t }: Props) {
  const login = useLogin(boot, lang, t)
  const { view, show, busy, note, general, wrong, typed, session, next, forms } = login
  const { goOn, askForMail, signOut } = login
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(view)
  const title = t(TITLES[view])
  // What was pressed is gone with its view: the keyboard begins with what the new one is called.
  useLayoutEffect(() => {
    document.title = `${title} · ${boot.tenant.name}`
    if (shown.current !== view) heading.current?.focus()
    shown.current = view
  }, [view, title, boot])
  const errorAt = (field: FieldName) => (wrong[field] ? t(wrong[field]) : null)
  const emailField = (
    <Field
      id="email"
      type="email"
      label={t('email')}
      autocomplete={view === 'signIn' ? 'username' : 'email'}
      value={typed.email}
      onInput={typed.setEmail}
      error={errorAt('email')}
    />
  )
  const passwordField = (isNew: boolean) => (
    <PasswordField
      label={t(view === 'reset' ? 'newPassword' : 'password')}
      hint={isNew ? t('passwordRule') : null}
      isNew={isNew}
      value={typed.password}
      onInput={typed.setPassword}
      error={errorAt('password')}
      t={t}
    />
  )
  const askedFields = (
    <AskedFields
      asks={boot.onboarding}
      lang={lang}
      answers={typed.answers}
      wrong={wrong}
      onChange={typed.setAnswers}
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
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
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
              href={startAddress(boot.tenant.id, provider)}
              onClick={noteStart}
            >
              {t('withProvider', { provider: PROVIDER_NAMES[provider] })}
            </a>
          ))}
          {boot.oauth.length > 0 ? <p class="or">{t('or')}</p> : null}
          <form noValidate onSubmit={forms.signIn}>
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
          <form noValidate onSubmit={forms.register}>
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
        <form noValidate onSubmit={forms.onboarding}>
          {welcome}
          {askedFields}
          {button('goOn')}
        </form>
      ) : view === 'forgot' ? (
        <>
          {boot.mail ? (
            <>
              <p>{t('forgotIntro')}</p>
              <form noValidate onSubmit={forms.forgot}>
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
          <form noValidate onSubmit={forms.reset}>
            {passwordField(true)}
            {button('setPassword')}
          </form>
          {link('forgot', () => show('forgot'))}
        </>
      ) : view === 'verify' ? (
        <>
          <p>{t('confirmIntro')}</p>
          <form noValidate onSubmit={forms.verify}>
            {button('confirmEmail')}
          </form>
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
          {link('signOut', signOut)}
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
