import { NumberField } from '../../parts'
import type { Changes } from '../model/edits'
import { nodePath } from '../model/problems'
import type { StoryNode } from '../types'
import { At } from './at'
import { useErrors } from './context'
import { StoryTextField } from './text-field'
import { useFlowWords } from './words'

export interface TypeProps {
  nodeKey: string
  node: StoryNode
  set: (changes: Changes<StoryNode>) => void
}

/** What a node of several types says. */
export function Say({ nodeKey, node, set }: TypeProps) {
  const t = useFlowWords()
  const errorOf = useErrors()
  const path = `${nodePath(nodeKey)}/say`
  const needed = node.type === 'message'
  return (
    <StoryTextField
      label={t('say')}
      path={path}
      hint={t('sayHint')}
      value={node.say}
      error={errorOf(path)}
      onChange={(say) => set({ say: say === '' && !needed ? undefined : say })}
    />
  )
}

/** A whole number between bounds, or none. */
export function Count(props: {
  label: string
  path: string
  value: number | undefined
  min: number
  max: number
  unit?: string
  hint?: string
  placeholder?: string
  onChange: (value: number | undefined) => void
}) {
  const errorOf = useErrors()
  const { path, value, onChange, ...rest } = props
  return (
    <At path={path}>
      <NumberField
        {...rest}
        value={value ?? null}
        error={errorOf(path)}
        onInput={(next) => onChange(next ?? undefined)}
      />
    </At>
  )
}
