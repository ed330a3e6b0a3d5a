import { useState } from 'preact/hooks'
import type { FormField, FormSpec } from '../../../kit/turn/frames'
import { Button, CheckList, SelectField, SwitchField, TextArea, TextField } from '../../parts'
import { useShell } from '../../words'
import { formLines } from './exchange'
import { useTalkWords } from './words'

interface Props {
  form: FormSpec
  onSend: (words: string) => void
}

const TYPES = { number: 'text', date: 'date', email: 'email', phone: 'text', text: 'text' } as const

/** A form that the agent asks to be filled in. It is sent as lines, as the chat page does. */
export function TalkForm({ form, onSend }: Props) {
  const t = useTalkWords()
  const shell = useShell()
  const [values, setValues] = useState<Record<string, readonly string[]>>({})
  const [asked, setAsked] = useState(false)
  const lacks = ({ name, required, type }: FormField) =>
    required && type !== 'boolean' && (values[name] ?? []).join('').trim() === ''

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setAsked(true)
    if (form.fields.some(lacks)) return
    onSend(formLines(form, values, [shell('yes'), shell('no')]))
  }
  return (
    <form class="talk-form stack" noValidate onSubmit={submit}>
      {form.title !== null && (
        <p class="talk-form-title" dir="auto">
          {form.title}
        </p>
      )}
      {form.fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? []}
          error={asked && lacks(field) ? t('formRequired') : undefined}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <div class="row">
        <Button kind="primary" type="submit" small>
          {t('send')}
        </Button>
      </div>
    </form>
  )
}

interface FieldProps {
  field: FormField
  value: readonly string[]
  error: string | undefined
  onChange: (value: readonly string[]) => void
}

function Field({
  field: { label, type, options, required, help },
  value,
  error,
  onChange,
}: FieldProps) {
  const t = useTalkWords()
  const one = value[0] ?? ''
  const words = {
    label,
    optional: !required,
    ...(error === undefined ? {} : { error }),
    ...(help === null ? {} : { hint: help }),
  }
  if (type === 'boolean')
    return (
      <SwitchField
        label={label}
        checked={one !== ''}
        onChange={(on) => onChange(on ? ['yes'] : [])}
      />
    )
  if (type === 'multiselect')
    return <CheckList label={label} options={options} value={[...value]} onChange={onChange} />
  if (type === 'select')
    return (
      <SelectField
        {...words}
        value={one}
        options={[{ value: '', label: t('formChoose') }, ...options]}
        onChange={(chosen) => onChange([chosen])}
      />
    )
  if (type === 'textarea')
    return (
      <TextArea {...words} value={one} rows={3} dir="auto" onInput={(text) => onChange([text])} />
    )
  return (
    <TextField
      {...words}
      type={TYPES[type]}
      value={one}
      dir="auto"
      onInput={(text) => onChange([text])}
    />
  )
}
