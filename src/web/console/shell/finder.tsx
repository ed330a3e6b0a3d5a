import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { isComposing } from '../../kit/composing'
import type { ApiProblem } from '../api/problem'
import { Dialog, dirOf, Icon, Problem } from '../parts'
import { useShell } from '../words'
import type { Found, Target } from './find'

const KINDS = {
  page: 'kindPage',
  setting: 'navSettings',
  agent: 'kindAgent',
  skill: 'kindSkill',
  base: 'kindBase',
  server: 'kindServer',
  storyline: 'kindStoryline',
  user: 'kindUser',
} as const

interface Props {
  title: string
  hint: string
  typed: string
  onType: (text: string) => void
  /** Null while nothing is known yet. */
  found: Found | null
  problem: ApiProblem | null
  /** All are of one kind, which says itself. */
  isOneKind?: boolean
  onChoose: (target: Target) => void
  onClose: () => void
}

/** Finds a place by its name, by keyboard: a combobox with its list. */
export function Finder(props: Props) {
  const { title, hint, typed, onType, found, problem, isOneKind, onChoose, onClose } = props
  const t = useShell()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const targets = found?.targets ?? []
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'Enter') {
      event.preventDefault()
      const chosen = targets[at]
      if (chosen) onChoose(chosen)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt((at + step + targets.length) % Math.max(1, targets.length))
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <input
        type="text"
        dir={dirOf(typed)}
        role="combobox"
        aria-label={hint}
        aria-expanded={true}
        aria-controls={`${id}list`}
        aria-activedescendant={targets[at] ? `${id}${at}` : undefined}
        placeholder={hint}
        value={typed}
        onInput={(event) => {
          // At once: an effect runs after the next paint and would take back a key pressed before it.
          setAt(0)
          onType(event.currentTarget.value)
        }}
        onKeyDown={onKey}
      />
      <div class="palette" role="listbox" id={`${id}list`} aria-label={title} ref={list}>
        {targets.map((target, place) => (
          // The list is worked by the input's keys; a pointer chooses directly.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the combobox has the focus.
          <div
            key={`${target.kind} ${target.to}`}
            id={`${id}${place}`}
            role="option"
            aria-selected={place === at}
            onClick={() => onChoose(target)}
          >
            <Icon name={target.icon} />
            <bdi>{target.name}</bdi>
            {!isOneKind && <span class="muted small">{t(KINDS[target.kind])}</span>}
          </div>
        ))}
      </div>
      <Problem of={problem} />
      <p class="muted small" role="status">
        {found === null || problem !== null
          ? ''
          : targets.length === 0
            ? t('nothingFound')
            : found.more > 0
              ? t('moreFound', { n: found.more })
              : ''}
      </p>
    </Dialog>
  )
}
