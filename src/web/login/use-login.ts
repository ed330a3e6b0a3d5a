import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Language } from '../../config/names'
import type { LoginBootstrap } from '../../pages/types'
import { carryVisitor } from '../kit/net/carry-visitor'
import { findFrame } from '../kit/net/hand-over'
import { sourceOf } from '../kit/net/token-source'
import { answerOnboarding, callAuth, Refused, type Session } from './api'
import { answersBody, NO_ANSWERS } from './asked'
import { findWrong, type Wrong } from './find-wrong'
import { byProvider, readOpening, type View } from './opening'
import { returnPath } from './return-path'
import { dropToken, keepToken, noteUnconfirmed, storedToken } from './session'
import { duration, type LoginTranslate } from './words'

/** Before the visitor's token gives way to the one of whoever signed in. */
function bringVisitor(tenantId: string, access: string): void {
  const visitor = storedToken(tenantId, Date.now())
  if (visitor !== null && sourceOf(visitor) === 'anonymous') void carryVisitor(visitor, access)
}

/** What the page knows and does; it says nothing of how that looks. */
export function useLogin(boot: LoginBootstrap, lang: Language, t: LoginTranslate) {
  const [opening] = useState(() => readOpening(boot))
  const [view, setView] = useState<View>(opening.view)
  const [busy, setBusy] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const [refusal, setRefusal] = useState(opening.error ? new Refused(opening.error) : null)
  const [wrong, setWrong] = useState<Wrong>({})
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [answers, setAnswers] = useState(NO_ANSWERS)
  const [session, setSession] = useState<Session | null>(null)
  const tenantId = boot.tenant.id
  const next = returnPath(location.search, location.origin)
  const [tellFrame] = useState(() => findFrame(location.search))

  useLayoutEffect(() => {
    document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus()
  }, [wrong])
  useEffect(() => {
    if (opening.entered) void attempt(() => enter(byProvider(opening)))
  }, [opening])

  const show = (to: View, said: string | null = null) => {
    setView(to)
    setNote(said)
    setRefusal(null)
    setWrong({})
    setPassword('')
  }

  /** Runs one request; its refusal is shown where it belongs. */
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setRefusal(null)
    setWrong({})
    setNote(null)
    try {
      await work()
    } catch (error) {
      const refused = error instanceof Refused ? error : new Refused('failed')
      if (refused.field === null) setRefusal(refused)
      else setWrong({ [refused.field]: refused.key })
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

  /** What a form does once all of it is filled in; what is not is said in the page's words, and the first of it gets the focus. */
  const submit = (work: () => Promise<void>) => (event: SubmitEvent) => {
    event.preventDefault()
    if (busy) return
    const found = findWrong(event.currentTarget as HTMLFormElement)
    setWrong(found)
    // What was said of the last try is over.
    setRefusal(null)
    setNote(null)
    if (Object.keys(found).length === 0) void work()
  }
  const general =
    refusal === null
      ? null
      : t(refusal.key, refusal.key === 'wait' ? { time: duration(lang, refusal.waitS) } : {})
  const signOut = () => {
    dropToken(tenantId)
    show('signIn')
  }

  return {
    view,
    show,
    busy,
    note,
    general,
    wrong,
    typed: { email, setEmail, password, setPassword, answers, setAnswers },
    session,
    next,
    goOn,
    askForMail,
    signOut,
    forms: {
      signIn: submit(signIn),
      register: submit(register),
      onboarding: submit(answer),
      forgot: submit(() => askForMail('forgot-password')),
      reset: submit(reset),
      verify: submit(verify),
    },
  }
}
