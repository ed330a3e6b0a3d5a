import { IconButton, Segmented, TextArea } from '../../parts'
import { useShell } from '../../words'
import { LANGUAGE_NAMES } from '../model/languages'
import type { StoryText } from '../types'
import { At } from './at'
import { PickField } from './pick-field'
import { useFlowWords } from './words'

interface Props {
  label: string
  path: string
  value: StoryText | undefined
  onChange: (value: StoryText | undefined) => void
  hint?: string | undefined
  error?: string | null | undefined
}

const MAX = 4000

/** A text that the model may restate, or exact wording by language. */
export function StoryTextField({ label, path, value, onChange, hint, error }: Props) {
  const t = useFlowWords()
  const shell = useShell()
  const isMap = typeof value === 'object'
  const toMap = () => onChange({ en: typeof value === 'string' ? value : '' })
  const toText = () => {
    const [first] = Object.values(typeof value === 'object' ? value : {})
    onChange(first ?? '')
  }
  const mode = (
    <Segmented
      label={t('wording', { label })}
      value={isMap ? 'exact' : 'free'}
      options={[
        { value: 'free', label: t('wordingFree') },
        { value: 'exact', label: t('wordingExact') },
      ]}
      onChange={(next) => (next === 'exact' ? toMap() : toText())}
    />
  )
  if (!isMap)
    return (
      <At path={path}>
        <TextArea
          label={label}
          value={value ?? ''}
          rows={3}
          maxLength={MAX}
          hint={hint}
          error={error}
          onInput={(text) => onChange(text)}
        />
        {mode}
      </At>
    )
  const free = Object.entries(LANGUAGE_NAMES).filter(([lang]) => !Object.hasOwn(value, lang))
  return (
    <At path={path}>
      {Object.entries(value).map(([lang, text]) => (
        <div key={lang} class="with-remove">
          <TextArea
            label={`${label}: ${LANGUAGE_NAMES[lang] ?? lang}`}
            value={text}
            rows={2}
            maxLength={MAX}
            error={error}
            onInput={(next) => onChange({ ...value, [lang]: next })}
          />
          {Object.keys(value).length > 1 && (
            <IconButton
              icon="close"
              label={`${shell('remove')}: ${label}, ${LANGUAGE_NAMES[lang] ?? lang}`}
              onClick={() => {
                const { [lang]: _gone, ...rest } = value
                onChange(rest)
              }}
            />
          )}
        </div>
      ))}
      <PickField
        label={t('addLanguage')}
        options={free.map(([lang, name]) => ({ value: lang, label: name }))}
        onPick={(lang) => onChange({ ...value, [lang]: '' })}
      />
      {hint && <p class="hint">{hint}</p>}
      {mode}
    </At>
  )
}
