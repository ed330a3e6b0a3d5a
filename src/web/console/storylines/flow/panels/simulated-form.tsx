import { useState } from 'preact/hooks'
import { Button, Fields, SelectField, TextField } from '../../../parts'
import type { Turn } from '../../types'
import { usePanelWords } from './words'

interface Props {
  form: NonNullable<Turn['form']>
  busy: boolean
  onSend: (form: Record<string, string>) => void
}

/** A form as the page would show it. */
export function SimulatedForm({ form, busy, onSend }: Props) {
  const t = usePanelWords()
  const [values, setValues] = useState<Record<string, string>>({})
  const set = (name: string) => (value: string) => setValues({ ...values, [name]: value })
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && Object.keys(filled).length > 0) onSend(filled)
      }}
    >
      <Fields legend={form.title}>
        {form.fields.map((field) =>
          field.options ? (
            <SelectField
              key={field.name}
              label={field.label}
              value={values[field.name] ?? ''}
              options={[{ value: '', label: '…' }, ...field.options]}
              onChange={set(field.name)}
            />
          ) : (
            <TextField
              key={field.name}
              label={field.label}
              optional={!field.required}
              value={values[field.name] ?? ''}
              onInput={set(field.name)}
            />
          ),
        )}
        <Button type="submit" busy={busy}>
          {t('sendForm')}
        </Button>
      </Fields>
    </form>
  )
}
