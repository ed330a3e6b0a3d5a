import type { Language } from '../../config/names'
import type { LoginOnboarding, LoginText } from '../../pages/types'
import type { FieldName } from './api'
import { Field } from './fields'
import type { Wrong } from './find-wrong'
import type { LoginTranslate } from './words'

export interface Answers {
  name: string
  phone: string
  city: string
  consent: boolean
}
export const NO_ANSWERS: Answers = { name: '', phone: '', city: '', consent: false }

/** What of a tenant's text this reader is shown. */
export const textIn = (text: LoginText | undefined, lang: Language): string | null =>
  text?.own[lang]?.trim() || (text?.rest ?? null)

/** The answers as the API takes them; what was not asked for is left out. */
export function answersBody({ name, phone, city, consent }: Answers) {
  return {
    pref_name: name.trim() || null,
    ...(phone.trim() && { contact_phone: phone.replaceAll(/[\s()-]/gu, '') }),
    ...(city.trim() && { pref_city: city.trim() }),
    ...(consent && { consent }),
  }
}

interface Props {
  asks: LoginOnboarding | null
  lang: Language
  answers: Answers
  wrong: Wrong
  onChange: (answers: Answers) => void
  t: LoginTranslate
}

/** What the tenant asks of new people; the name is always there, and optional where nobody asks for it. */
export function AskedFields({ asks, lang, answers, wrong, onChange, t }: Props) {
  const errorAt = (field: FieldName) => (wrong[field] ? t(wrong[field]) : null)
  const isAsked = (field: LoginOnboarding['fields'][number]) =>
    asks?.fields.includes(field) === true
  return (
    <>
      <Field
        id="name"
        type="text"
        label={t(isAsked('pref_name') ? 'yourName' : 'name')}
        autocomplete="name"
        value={answers.name}
        onInput={(name) => onChange({ ...answers, name })}
        error={errorAt('pref_name')}
        optional={!isAsked('pref_name')}
      />
      {isAsked('phone') ? (
        <Field
          id="phone"
          type="tel"
          label={t('phone')}
          hint={t('phoneHint')}
          autocomplete="tel"
          value={answers.phone}
          onInput={(phone) => onChange({ ...answers, phone })}
          error={errorAt('contact_phone')}
        />
      ) : null}
      {isAsked('city') ? (
        <Field
          id="city"
          type="text"
          label={t('city')}
          autocomplete="address-level2"
          value={answers.city}
          onInput={(city) => onChange({ ...answers, city })}
          error={errorAt('pref_city')}
        />
      ) : null}
      <Consent
        text={textIn(asks?.consent, lang)}
        given={answers.consent}
        error={errorAt('consent')}
        onChange={(consent) => onChange({ ...answers, consent })}
        t={t}
      />
    </>
  )
}

function Consent(props: {
  text: string | null
  given: boolean
  error: string | null
  onChange: (given: boolean) => void
  t: LoginTranslate
}) {
  const { text, given, error, onChange, t } = props
  if (text === null) return null
  return (
    <div class="field">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, by the keyboard too. */}
      <section class="terms" id="terms" aria-label={t('terms')} dir="auto" tabIndex={0}>
        {text}
      </section>
      <label class="check">
        <input
          id="consent"
          type="checkbox"
          required
          checked={given}
          aria-invalid={error !== null}
          aria-describedby={error === null ? 'terms' : 'terms consent-error'}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {t('agree')}
      </label>
      {error === null ? null : (
        <p class="error" role="alert" id="consent-error">
          {error}
        </p>
      )}
    </div>
  )
}
