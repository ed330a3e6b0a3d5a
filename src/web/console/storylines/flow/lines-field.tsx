import { useState } from 'preact/hooks'
import { TextArea } from '../../parts'

interface Props {
  label: string
  hint: string
  error: string | null
  mono?: boolean
  rows?: number
  value: readonly string[] | undefined
  onChange: (lines: string[] | undefined) => void
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A list as lines. What is typed stays as it is typed; what is kept are the lines that say something. */
export function LinesField({ value = [], onChange, ...rest }: Props) {
  const [text, setText] = useState(value.join('\n'))
  // An undo, or what somebody else saved, shows too.
  const shown = linesOf(text).join('\n') === value.join('\n') ? text : value.join('\n')
  return (
    <TextArea
      optional
      {...rest}
      value={shown}
      onInput={(next) => {
        setText(next)
        const lines = linesOf(next)
        onChange(lines.length === 0 ? undefined : lines)
      }}
    />
  )
}
