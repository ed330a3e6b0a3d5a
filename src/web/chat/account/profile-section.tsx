import { useEffect, useState } from 'preact/hooks'
import { AccountRefused, type Profile } from './account-api'
import { Said, Section, TextField, useAccount, useTask } from './parts'
import type { AccountKey } from './words'

type Fields = Record<FieldName, string>
const NAMES = ['pref_name', 'contact_email', 'contact_phone', 'pref_city', 'pref_timezone'] as const
type FieldName = (typeof NAMES)[number]

const WRONG: Record<FieldName, AccountKey> = {
  pref_name: 'tooLong',
  contact_email: 'emailWrong',
  contact_phone: 'phoneWrong',
  pref_city: 'tooLong',
  pref_timezone: 'zoneWrong',
}

const fieldsOf = (profile: Profile): Fields =>
  Object.fromEntries(NAMES.map((name) => [name, profile[name] ?? ''])) as Fields

/** Name, contacts, city and zone; what the connection suggests is taken by a button, never by itself. */
export function ProfileSection() {
  const { api, w } = useAccount()
  const task = useTask()
  const [fields, setFields] = useState<Fields | null>(null)
  const [suggestion, setSuggestion] = useState<Profile['suggestion']>(null)
  const [wrong, setWrong] = useState<readonly string[]>([])

  useEffect(() => {
    void task.run(async () => {
      const profile = await api.call<Profile>('GET', '/me/profile')
      setFields(fieldsOf(profile))
      setSuggestion(profile.suggestion)
      return null
    })
  }, [api])

  const save = async () => {
    setWrong([])
    try {
      setFields(fieldsOf(await api.call<Profile>('PATCH', '/me/profile', fields)))
      return 'saved' as const
    } catch (error) {
      if (!(error instanceof AccountRefused) || error.fields.length === 0) throw error
      setWrong(error.fields)
      return null
    }
  }
  const field = (name: FieldName) => ({
    value: fields?.[name] ?? '',
    onInput: (value: string) => fields && setFields({ ...fields, [name]: value }),
    error: wrong.includes(name) ? w(WRONG[name]) : null,
  })
  const place = [suggestion?.city, suggestion?.timezone].filter(Boolean).join(', ')
  return (
    <Section title={w('profile')}>
      {fields !== null && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void task.run(save)
          }}
        >
          <TextField label={w('name')} autocomplete="nickname" {...field('pref_name')} />
          <TextField
            label={w('email')}
            type="email"
            autocomplete="email"
            {...field('contact_email')}
          />
          <TextField
            label={w('phone')}
            type="tel"
            autocomplete="tel"
            hint={w('phoneHint')}
            {...field('contact_phone')}
          />
          <div class="pair">
            <TextField label={w('city')} autocomplete="address-level2" {...field('pref_city')} />
            <TextField
              label={w('timezone')}
              options={Intl.supportedValuesOf('timeZone')}
              {...field('pref_timezone')}
            />
          </div>
          <div class="row">
            <button type="submit" class="button primary" aria-disabled={task.busy}>
              {w('save')}
            </button>
            {place !== '' && (
              <button
                type="button"
                class="button"
                dir="auto"
                onClick={() =>
                  setFields({
                    ...fields,
                    pref_city: suggestion?.city ?? fields.pref_city,
                    pref_timezone: suggestion?.timezone ?? fields.pref_timezone,
                  })
                }
              >
                {w('useSuggestion', { place })}
              </button>
            )}
          </div>
        </form>
      )}
      <Said task={task} />
    </Section>
  )
}
