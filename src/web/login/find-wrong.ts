import type { FieldName } from './api'
import type { MessageKey } from './words'

/** What is to be said at a field. */
export type Wrong = { readonly [field in FieldName]?: MessageKey }

const FIELD_OF: Record<string, FieldName> = {
  email: 'email',
  password: 'password',
  name: 'pref_name',
  phone: 'contact_phone',
  city: 'pref_city',
  consent: 'consent',
}

/** What a form lacks by its fields' own rules. The browser would say it in its language, one field at a time, beside the page. */
export function findWrong(form: HTMLFormElement): Wrong {
  const wrong = [...form.elements].flatMap((input) => {
    if (!(input instanceof HTMLInputElement) || input.validity.valid) return []
    const field = FIELD_OF[input.id]
    return field === undefined ? [] : [[field, messageFor(input)] as const]
  })
  return Object.fromEntries(wrong)
}

function messageFor({ type, validity }: HTMLInputElement): MessageKey {
  if (type === 'checkbox') return 'badConsent'
  if (validity.tooShort) return 'badPassword'
  return validity.valueMissing ? 'required' : 'badEmail'
}
