import { useId, useState } from 'preact/hooks'
import { useShell } from '../words'
import { Icon } from './icons'

interface Props {
  label: string
  hint?: string | undefined
  accept?: string | undefined
  multiple?: boolean | undefined
  disabled?: boolean | undefined
  onFiles: (files: File[]) => void
}

/** Files that are chosen or dropped. */
export function FileField({ label, hint, accept, multiple = false, disabled, onFiles }: Props) {
  const t = useShell()
  const id = useId()
  const [over, setOver] = useState(false)
  const take = (files: FileList | null | undefined) => {
    const taken = [...(files ?? [])].slice(0, multiple ? undefined : 1)
    if (taken.length > 0) onFiles(taken)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the drop is a second way; the input takes files by keyboard and pointer.
    <div
      class={over ? 'file-field over' : 'file-field'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (!disabled) take(event.dataTransfer?.files)
      }}
    >
      <input
        id={id}
        type="file"
        class="sr"
        accept={accept}
        multiple={multiple}
        aria-disabled={disabled}
        aria-describedby={hint ? `${id}hint` : undefined}
        // It keeps the focus, and takes nothing.
        onClick={(event) => {
          if (disabled) event.preventDefault()
        }}
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <label for={id} class="button plain">
        <Icon name="doc" />
        {label}
      </label>
      <span class="muted small">{t('orDrop')}</span>
      {hint && (
        <p class="hint" id={`${id}hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
