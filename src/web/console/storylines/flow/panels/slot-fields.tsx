import { useState } from 'preact/hooks'
import { NumberField, SelectField, SwitchField, TextArea, TextField } from '../../../parts'
import { useShell } from '../../../words'
import type { Changes } from '../../model/edits'
import { KEY } from '../../model/keys'
import { pointer } from '../../model/problems'
import {
  choicesText,
  FORMATS,
  SLOT_TYPES,
  type SlotDefinition,
  setChoices,
  setSlotType,
  shownValue,
  typedValue,
} from '../../model/slots'
import { useErrors } from '../context'
import { KeyField } from '../key-field'
import { type PanelKey, usePanelWords } from './words'

const TYPE_WORDS: Record<(typeof SLOT_TYPES)[number], PanelKey> = {
  string: 'slotText',
  integer: 'slotInteger',
  number: 'slotNumber',
  boolean: 'slotBoolean',
  array: 'slotList',
}

interface Props {
  slotKey: string
  slot: SlotDefinition
  taken: (key: string) => boolean
  onRename: (key: string) => void
  onChange: (changes: Changes<SlotDefinition>) => void
  onReplace: (slot: SlotDefinition) => void
}

/** Every keyword of a slot. */
export function SlotFields({ slotKey, slot, taken, onRename, onChange, onReplace }: Props) {
  const t = usePanelWords()
  const shell = useShell()
  const errorOf = useErrors()
  const at = (name: string) => errorOf(pointer('profile_schema', 'properties', slotKey, name))
  const type = slot.type ?? 'string'
  const isNumber = type === 'integer' || type === 'number'
  const text = (name: 'title' | 'description') => (value: string) =>
    onChange({ [name]: value === '' ? undefined : value })
  const flag = (name: 'x-sensitive' | 'x-private' | 'x-computed') => ({
    checked: slot[name] === true,
    onChange: (on: boolean) => onChange({ [name]: on || undefined }),
  })
  const bound = (name: 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'maxItems') => ({
    value: slot[name] ?? null,
    error: at(name),
    onInput: (value: number | null) => onChange({ [name]: value ?? undefined }),
  })
  return (
    <div class="stack slot-fields">
      <TextField
        label={t('slotTitle')}
        hint={t('slotTitleHint')}
        value={slot.title ?? ''}
        error={at('title')}
        onInput={text('title')}
      />
      <KeyField
        label={t('key')}
        hint={t('slotKeyHint')}
        value={slotKey}
        pattern={KEY}
        taken={taken}
        onChange={onRename}
      />
      <SelectField
        label={t('type')}
        value={type}
        options={SLOT_TYPES.map((one) => ({ value: one, label: t(TYPE_WORDS[one]) }))}
        error={at('type')}
        onChange={(next) => onReplace(setSlotType(slot, next))}
      />
      <TextField
        label={shell('description')}
        optional
        value={slot.description ?? ''}
        onInput={text('description')}
      />
      {type === 'string' && (
        <SelectField
          label={t('format')}
          value={slot.format ?? ''}
          options={[
            { value: '', label: shell('any') },
            ...FORMATS.map((one) => ({ value: one, label: one })),
          ]}
          error={at('format')}
          onChange={(format) => onChange({ format: format === '' ? undefined : format })}
        />
      )}
      {(type === 'string' || isNumber) && (
        <Choices slot={slot} error={at('enum') ?? at('oneOf')} onReplace={onReplace} />
      )}
      {type === 'string' && (
        <div class="grid2">
          <NumberField label={t('minLength')} min={0} step={1} {...bound('minLength')} />
          <NumberField label={t('maxLength')} min={0} step={1} {...bound('maxLength')} />
        </div>
      )}
      {isNumber && (
        <div class="grid2">
          <NumberField label={t('minimum')} step="any" {...bound('minimum')} />
          <NumberField label={t('maximum')} step="any" {...bound('maximum')} />
        </div>
      )}
      {type === 'array' && (
        <NumberField label={t('maxItems')} min={0} step={1} {...bound('maxItems')} />
      )}
      {type === 'boolean' ? (
        <SelectField
          label={t('byDefault')}
          value={slot.default === undefined ? '' : String(slot.default)}
          options={[
            { value: '', label: shell('none') },
            { value: 'true', label: shell('yes') },
            { value: 'false', label: shell('no') },
          ]}
          onChange={(value) => onChange({ default: value === '' ? undefined : value === 'true' })}
        />
      ) : (
        <TextField
          label={t('byDefault')}
          optional
          value={shownValue(slot.default)}
          error={at('default')}
          onInput={(value) => onChange({ default: typedValue(slot, value) ?? undefined })}
        />
      )}
      <SwitchField label={t('sensitive')} hint={t('sensitiveHint')} {...flag('x-sensitive')} />
      <SwitchField label={t('private')} hint={t('privateHint')} {...flag('x-private')} />
      <SwitchField label={t('computed')} hint={t('computedHint')} {...flag('x-computed')} />
    </div>
  )
}

/** What is typed stays as it is typed; what the slot keeps of it are whole lines. */
function Choices({
  slot,
  error,
  onReplace,
}: Pick<Props, 'slot' | 'onReplace'> & { error: string | null }) {
  const t = usePanelWords()
  const [written, setText] = useState(choicesText(slot))
  const kept = choicesText(slot)
  const text = choicesText(setChoices(slot, written)) === kept ? written : kept
  return (
    <TextArea
      label={t('choices')}
      optional
      rows={3}
      hint={t('choicesHint')}
      value={text}
      error={error}
      onInput={(next) => {
        setText(next)
        onReplace(setChoices(slot, next))
      }}
    />
  )
}
