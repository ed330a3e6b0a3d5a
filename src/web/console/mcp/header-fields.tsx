import { Badge, Button, IconButton, SecretField, TextField } from '../parts'
import { useShell } from '../words'
import { type HeaderRow, isHalf, newHeader } from './headers'
import { useMcpWords } from './words'

interface HeaderFieldsProps {
  headers: readonly HeaderRow[]
  onChange: (headers: HeaderRow[]) => void
  /** What the API says of a header by its name. */
  error: (name: string) => string | null
  /** Of all of them together. */
  problem?: string | null
}

/** Headers with secret values: those that are stored can be replaced or taken away, never read. */
export function HeaderFields({ headers, onChange, error, problem }: HeaderFieldsProps) {
  const t = useMcpWords()
  const change = (key: number, changed: Partial<HeaderRow>) =>
    onChange(headers.map((row) => (row.key === key ? { ...row, ...changed } : row)))
  return (
    <fieldset class="stack server-headers">
      <legend>{t('headers')}</legend>
      <p class="hint">{t('headersHint')}</p>
      {headers.map((row) => (
        <Row
          key={row.key}
          row={row}
          error={error(row.name) ?? (isHalf(row) ? t('headerHalf') : null)}
          onChange={(changed) => change(row.key, changed)}
          onRemove={() =>
            row.isStored
              ? change(row.key, { isRemoved: !row.isRemoved, value: '' })
              : onChange(headers.filter(({ key }) => key !== row.key))
          }
        />
      ))}
      {problem && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <div>
        <Button small icon="plus" onClick={() => onChange([...headers, newHeader()])}>
          {t('addHeader')}
        </Button>
      </div>
    </fieldset>
  )
}

interface RowProps {
  row: HeaderRow
  error: string | null
  onChange: (changed: Partial<HeaderRow>) => void
  onRemove: () => void
}

function Row({ row, error, onChange, onRemove }: RowProps) {
  const t = useMcpWords()
  const shell = useShell()
  if (row.isRemoved)
    return (
      <div class="row header-gone">
        <code dir="ltr">{row.name}</code>
        <Badge tone="warn">{t('headerGoes')}</Badge>
        <Button small icon="undo" onClick={onRemove}>
          {t('keepHeader')}
        </Button>
      </div>
    )
  return (
    <div class="header-row">
      <TextField
        label={t('headerName')}
        value={row.name}
        maxLength={64}
        placeholder="Authorization"
        mono
        disabled={row.isStored}
        onInput={(name) => onChange({ name })}
      />
      <SecretField
        label={t('headerValue')}
        value={row.value}
        maxLength={4096}
        isStored={row.isStored}
        error={error}
        onInput={(value) => onChange({ value })}
      />
      <IconButton icon="trash" label={`${shell('remove')}: ${row.name}`} onClick={onRemove} />
    </div>
  )
}
