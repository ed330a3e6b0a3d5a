import { useState } from 'preact/hooks'
import { Button, IconButton, TextField } from '../../parts'
import { useShell } from '../../words'
import { pointer } from '../model/problems'
import type { Assignments } from '../types'
import { At } from './at'
import { useErrors, useSlots } from './context'
import { PickField } from './pick-field'
import { useFlowWords } from './words'

interface Props {
  legend: string
  hint?: string | undefined
  path: string
  value: Assignments | undefined
  onChange: (value: Assignments | undefined) => void
  /** Names that are written by hand, as a tool's arguments are; else slots. */
  free?: boolean
}

/** Name → expression, a row each. */
export function AssignField({ legend, hint, path, value = {}, onChange, free = false }: Props) {
  const t = useFlowWords()
  const shell = useShell()
  const errorOf = useErrors()
  const { keys, label } = useSlots()
  const [fresh, setFresh] = useState('')
  const rows = Object.entries(value)
  const unused = keys.filter((key) => !Object.hasOwn(value, key))
  const write = (next: Record<string, string>) =>
    onChange(Object.keys(next).length === 0 ? undefined : next)
  const add = (key: string) => {
    if (key === '' || Object.hasOwn(value, key)) return
    write({ ...value, [key]: free ? '""' : `profile.${key}` })
    setFresh('')
  }
  return (
    <At path={path}>
      <fieldset class="field-rows">
        <legend>{legend}</legend>
        {hint && <p class="hint">{hint}</p>}
        {rows.map(([key, source]) => (
          <At key={key} path={path + pointer(key)}>
            <div class="with-remove">
              <TextField
                label={free ? key : label(key)}
                mono
                maxLength={500}
                value={source}
                error={errorOf(path + pointer(key))}
                onInput={(text) => write({ ...value, [key]: text })}
              />
              <IconButton
                icon="close"
                label={`${shell('remove')}: ${key}`}
                onClick={() => {
                  const { [key]: _gone, ...rest } = value
                  write(rest)
                }}
              />
            </div>
          </At>
        ))}
        {free ? (
          <div class="with-remove">
            <TextField label={t('argumentName')} mono value={fresh} onInput={setFresh} />
            <Button small disabled={fresh.trim() === ''} onClick={() => add(fresh.trim())}>
              {shell('add')}
            </Button>
          </div>
        ) : unused.length > 0 ? (
          <PickField
            label={t('addSlotHere')}
            options={unused.map((key) => ({ value: key, label: label(key) }))}
            onPick={add}
          />
        ) : (
          rows.length === 0 && <p class="muted small">{t('noSlots')}</p>
        )}
      </fieldset>
    </At>
  )
}
