import { useState } from 'preact/hooks'
import type { Language } from '../../../../config/names'
import { LANGUAGES } from '../../../kit/prefs'
import { CheckList, Segmented, SelectField, TextArea } from '../../parts'
import { useFormat } from '../../words'
import { Card } from '../settings-page'
import { type AskedField, FIELDS, type Onboarding, type Words } from './onboarding'
import { useGeneralWords } from './words'

const FIELD_WORDS = { pref_name: 'askName', phone: 'askPhone', city: 'askCity' } as const

interface Props {
  value: Onboarding
  onChange: (value: Onboarding) => void
  error: (field: string) => string | null
}

export function OnboardingCard({ value, onChange, error }: Props) {
  const t = useGeneralWords()
  return (
    <Card title={t('onboarding')} text={t('onboardingText')}>
      <TextInLanguages
        label={t('welcome')}
        hint={t('welcomeHint')}
        value={value.welcome}
        onChange={(welcome) => onChange({ ...value, welcome })}
        error={error('welcome')}
      />
      <CheckList
        label={t('requiredFields')}
        options={FIELDS.map((field) => ({ value: field, label: t(FIELD_WORDS[field]) }))}
        value={value.required_fields}
        onChange={(fields) =>
          onChange({ ...value, required_fields: fields as readonly string[] as AskedField[] })
        }
        hint={t('requiredFieldsHint')}
        error={error('required_fields')}
      />
      <TextInLanguages
        label={t('consent')}
        hint={t('consentHint')}
        value={value.consent_text}
        onChange={(consent_text) => onChange({ ...value, consent_text })}
        error={error('consent_text')}
      />
    </Card>
  )
}

const MOST_CHARACTERS = 8000

interface TextProps {
  label: string
  hint: string
  value: Words
  onChange: (value: Words) => void
  error: string | null
}

function TextInLanguages({ label, hint, value, onChange, error }: TextProps) {
  const t = useGeneralWords()
  const { lang } = useFormat()
  const [chosen, setChosen] = useState<Language>(lang)
  const { each, all, own } = value
  return (
    <div class="stack settings-words">
      <div class="row">
        <Segmented
          label={`${label}: ${t('whichText')}`}
          value={each ? 'each' : 'all'}
          options={[
            { value: 'all', label: t('oneText') },
            { value: 'each', label: t('textEach') },
          ]}
          onChange={(mode) =>
            onChange(
              mode === 'each'
                ? { each: true, all: '', own: all === '' ? own : { ...own, [lang]: all } }
                : { each: false, all: own[chosen] ?? own.en ?? '', own: {} },
            )
          }
        />
        {each && (
          <SelectField
            label={t('textLanguage')}
            value={chosen}
            options={LANGUAGES.map(([code, name]) => ({
              value: code,
              label: own[code]?.trim() ? `${name} ✓` : name,
            }))}
            onChange={setChosen}
          />
        )}
      </div>
      <TextArea
        label={label}
        rows={4}
        optional
        count={MOST_CHARACTERS}
        maxLength={MOST_CHARACTERS}
        value={each ? (own[chosen] ?? '') : all}
        onInput={(text) =>
          onChange(each ? { ...value, own: { ...own, [chosen]: text } } : { ...value, all: text })
        }
        hint={hint}
        error={error}
      />
    </div>
  )
}
