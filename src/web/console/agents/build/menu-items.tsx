import { useId } from 'preact/hooks'
import { Button, FieldFrame, IconButton } from '../../parts'
import { useShell } from '../../words'
import type { SkillRow } from '../types'
import { useBuildWords } from './words'

const MOST = 8
const LONGEST = 40

interface Props {
  value: readonly string[] | null | undefined
  skills: readonly SkillRow[]
  error: string | null
  onChange: (items: string[] | null) => void
}

/** Questions to begin with, in their order. One that is called like a skill shows that skill's own words. */
export function MenuItems({ value, skills, error, onChange }: Props) {
  const t = useBuildWords()
  const shell = useShell()
  const list = useId()
  const items = value ?? []
  const store = (next: string[]) => onChange(next.length === 0 ? null : next)
  const move = (at: number, by: number) => {
    const next = [...items]
    const [item = ''] = next.splice(at, 1)
    next.splice(at + by, 0, item)
    store(next)
  }
  return (
    <fieldset class="menu-items">
      <legend>{t('menuItems')}</legend>
      <p class="hint">{t('menuItemsHint')}</p>
      <datalist id={list}>
        {skills.map(({ name, menu_label }) => (
          <option key={name} value={name} label={menu_label ?? undefined} />
        ))}
      </datalist>
      {items.map((item, at) => {
        const skill = skills.find(({ name }) => name === item)
        const label = t('menuItem', { n: at + 1 })
        return (
          <div class="menu-item-row" key={at}>
            <FieldFrame
              label={label}
              hint={skill && t('menuItemSkill', { label: skill.menu_label ?? skill.name })}
            >
              {(tied) => (
                <input
                  {...tied}
                  type="text"
                  dir="auto"
                  list={list}
                  maxLength={LONGEST}
                  value={item}
                  onInput={(event) => store(items.with(at, event.currentTarget.value))}
                />
              )}
            </FieldFrame>
            <span class="menu-item-acts">
              <IconButton
                icon="send"
                label={t('moveUp', { name: label })}
                disabled={at === 0}
                onClick={() => move(at, -1)}
              />
              <IconButton
                icon="arrowDown"
                label={t('moveDown', { name: label })}
                disabled={at === items.length - 1}
                onClick={() => move(at, 1)}
              />
              <IconButton
                icon="trash"
                label={t('removeNamed', { name: label })}
                onClick={() => store(items.filter((_, other) => other !== at))}
              />
            </span>
          </div>
        )
      })}
      {error && <p class="error">{error}</p>}
      {items.length < MOST && (
        <div class="row">
          <Button small icon="plus" onClick={() => store([...items, ''])}>
            {shell('add')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
