import { useEffect, useState } from 'preact/hooks'
import { type Choice, SelectField } from '../../parts'

interface Props {
  label: string
  options: readonly Choice[]
  onPick: (value: string) => void
}

/** A list to pick from again and again: what is picked is taken, and the list shows nothing picked. */
export function PickField({ label, options, onPick }: Props) {
  const [value, setValue] = useState('')
  useEffect(() => {
    if (value !== '') setValue('')
  }, [value])
  return (
    <SelectField
      label={label}
      value={value}
      options={[{ value: '', label: '…' }, ...options]}
      onChange={(picked) => {
        setValue(picked)
        if (picked !== '') onPick(picked)
      }}
    />
  )
}
