import { useState } from 'preact/hooks'
import {
  Button,
  IconButton,
  NumberField,
  Segmented,
  SelectField,
  TextArea,
  TextField,
} from '../../parts'
import { useShell } from '../../words'
import {
  type Operator,
  operatorsFor,
  type Row,
  type Rows,
  readRows,
  VARIABLES,
  type ValueType,
  writeRows,
} from '../model/conditions'
import { optionsOf } from '../model/slots'
import { At } from './at'
import { useErrors, useSlots } from './context'
import { type FlowKey, useFlowWords } from './words'

interface Props {
  label: string
  path: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  hint?: string | undefined
}

const OPERATOR_WORDS: Record<Operator, FlowKey> = {
  '==': 'opIs',
  '!=': 'opIsNot',
  '<': 'opLess',
  '<=': 'opAtMost',
  '>': 'opMore',
  '>=': 'opAtLeast',
  has: 'opKnown',
  lacks: 'opUnknown',
  contains: 'opContains',
}

/** A condition as rows where rows can say it, else as text. Both write the same expression, which the server checks. */
export function ConditionField({ label, path, value, onChange, hint }: Props) {
  const t = useFlowWords()
  const error = useErrors()(path)
  const rows = readRows(value ?? '')
  const [wanted, setWanted] = useState<'rows' | 'text'>('rows')
  const mode = rows === null ? 'text' : wanted
  return (
    <At path={path}>
      <fieldset class="field-rows">
        <legend>{label}</legend>
        {hint && <p class="hint">{hint}</p>}
        <Segmented
          label={t('conditionAs', { label })}
          value={mode}
          options={[
            { value: 'rows', label: t('asRows') },
            { value: 'text', label: t('asText') },
          ]}
          onChange={setWanted}
        />
        {rows !== null && mode === 'rows' ? (
          <RowsEditor rows={rows} onChange={onChange} />
        ) : (
          <TextArea
            label={t('expression')}
            mono
            rows={2}
            maxLength={500}
            value={value ?? ''}
            hint={rows === null ? t('onlyText') : t('expressionHint')}
            error={error}
            onInput={(text) => onChange(text.trim() === '' ? undefined : text)}
          />
        )}
        {mode === 'rows' && error && <p class="error">{error}</p>}
      </fieldset>
    </At>
  )
}

function RowsEditor({
  rows: { join, rows },
  onChange,
}: {
  rows: Rows
  onChange: Props['onChange']
}) {
  const t = useFlowWords()
  const shell = useShell()
  const { keys, typeOf } = useSlots()
  const write = (next: Rows) =>
    onChange(next.rows.length === 0 ? undefined : writeRows(next, typeOf))
  const setRow = (at: number, row: Row) =>
    write({ join, rows: rows.map((one, i) => (i === at ? row : one)) })
  const first = keys[0] === undefined ? 'turn.count' : `profile.${keys[0]}`
  return (
    <>
      {rows.map((row, at) => (
        // Rows have no name, and stay where they are while they are edited.
        <div key={at} class="with-remove condition-row">
          <RowFields row={row} n={at + 1} onChange={(next) => setRow(at, next)} />
          <IconButton
            icon="close"
            label={t('removeRow', { n: at + 1 })}
            onClick={() => write({ join, rows: rows.toSpliced(at, 1) })}
          />
        </div>
      ))}
      <div class="row">
        <Button
          small
          icon="plus"
          onClick={() => write({ join, rows: [...rows, freshRow(first, typeOf(first))] })}
        >
          {t('addRow')}
        </Button>
        {rows.length > 1 && (
          <Segmented
            label={t('joinRows')}
            value={join}
            options={[
              { value: 'all', label: shell('all') },
              { value: 'any', label: shell('any') },
            ]}
            onChange={(next) => write({ join: next, rows })}
          />
        )}
      </div>
    </>
  )
}

const freshRow = (variable: string, type: ValueType): Row => {
  const [operator = 'has'] = operatorsFor(variable, type)
  const literal = type === 'bool' ? true : type === 'int' || type === 'double' ? 0 : ''
  return { variable, operator, literal }
}

function RowFields({ row, n, onChange }: { row: Row; n: number; onChange: (row: Row) => void }) {
  const t = useFlowWords()
  const shell = useShell()
  const { keys, label, slots, typeOf } = useSlots()
  const { variable, operator, literal } = row
  const type = typeOf(variable)
  const slot = variable.startsWith('profile.') ? slots[variable.slice(8)] : undefined
  const options = slot ? optionsOf(slot) : []
  const variables = [
    ...keys.map((key) => ({ value: `profile.${key}`, label: label(key) })),
    ...Object.keys(VARIABLES).map((name) => ({ value: name, label: name })),
  ]
  const known = variables.some((one) => one.value === variable)
  const operators = operatorsFor(variable, type)
  const bare = operator === 'has' || operator === 'lacks'
  return (
    <>
      <SelectField
        label={t('rowWhat', { n })}
        value={variable}
        options={known ? variables : [{ value: variable, label: variable }, ...variables]}
        onChange={(next) => onChange(freshRow(next, typeOf(next)))}
      />
      <SelectField
        label={t('rowHow', { n })}
        value={operator}
        options={(operators.includes(operator) ? operators : [operator, ...operators]).map(
          (one) => ({ value: one, label: t(OPERATOR_WORDS[one]) }),
        )}
        onChange={(next) => {
          const none = next === 'has' || next === 'lacks'
          const value = none ? null : (literal ?? freshRow(variable, type).literal)
          onChange({ ...row, operator: next, literal: value })
        }}
      />
      {bare ? null : type === 'bool' ? (
        <SelectField
          label={t('rowValue', { n })}
          value={String(literal === true)}
          options={[
            { value: 'true', label: shell('yes') },
            { value: 'false', label: shell('no') },
          ]}
          onChange={(next) => onChange({ ...row, literal: next === 'true' })}
        />
      ) : options.length > 0 && operator !== 'contains' ? (
        <SelectField
          label={t('rowValue', { n })}
          value={String(literal ?? '')}
          options={[
            ...(options.some((one) => one.value === String(literal ?? ''))
              ? []
              : [{ value: String(literal ?? ''), label: String(literal ?? '') || '…' }]),
            ...options,
          ]}
          onChange={(next) => onChange({ ...row, literal: next })}
        />
      ) : type === 'int' || type === 'double' ? (
        <NumberField
          label={t('rowValue', { n })}
          value={Number(literal ?? 0)}
          step={type === 'int' ? 1 : 'any'}
          onInput={(next) => onChange({ ...row, literal: next ?? 0 })}
        />
      ) : (
        <TextField
          label={t('rowValue', { n })}
          value={String(literal ?? '')}
          onInput={(next) => onChange({ ...row, literal: next })}
        />
      )}
    </>
  )
}
