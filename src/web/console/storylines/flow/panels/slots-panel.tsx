import { useState } from 'preact/hooks'
import { Button, IconButton } from '../../../parts'
import { useShell } from '../../../words'
import { isFormat1 } from '../../model/draft'
import { patched } from '../../model/edits'
import { LIMITS } from '../../model/node-rules'
import { pointer } from '../../model/problems'
import { renameSlotIn } from '../../model/rename-slot'
import { addSlot, renameSlot, type SlotDefinition, slotsOf, writeSlots } from '../../model/slots'
import { At } from '../at'
import { useEditing, useErrors } from '../context'
import { SlotFields } from './slot-fields'
import { usePanelWords } from './words'

/** What a storyline notes of a person: `profile_schema`, a slot at a time. */
export function SlotsPanel() {
  const t = usePanelWords()
  const shell = useShell()
  const { flow } = useEditing()
  const errorOf = useErrors()
  const slots = slotsOf(flow.draft.profile_schema)
  const keys = Object.keys(slots)
  const [open, setOpen] = useState<string | null>(null)
  const write = (mark: string | null, next: Readonly<Record<string, SlotDefinition>>) =>
    flow.edit(mark, (draft) => ({ ...draft, profile_schema: writeSlots(next) }))
  return (
    <div class="stack">
      <p class="hint">{t('slotsHint')}</p>
      {keys.map((key) => {
        const slot = slots[key] ?? {}
        const path = pointer('profile_schema', 'properties', key)
        const error = errorOf(path)
        return (
          <At key={key} path={path}>
            <section class="card slot-card">
              <div class="row spread">
                <button
                  type="button"
                  class="slot-open"
                  aria-expanded={open === key}
                  onClick={() => setOpen(open === key ? null : key)}
                >
                  <strong dir="auto">{slot.title || key}</strong>
                  <span class="small muted mono" dir="ltr">
                    {key}
                  </span>
                </button>
                <IconButton
                  icon="trash"
                  label={`${shell('delete')}: ${slot.title || key}`}
                  onClick={() => {
                    const { [key]: _gone, ...rest } = slots
                    write(null, rest)
                  }}
                />
              </div>
              {open !== key && error && <p class="error">{error}</p>}
              {open === key && (
                <SlotFields
                  slotKey={key}
                  slot={slot}
                  taken={(next) => Object.hasOwn(slots, next)}
                  onRename={(next) => {
                    flow.edit(null, (draft) => ({
                      ...draft,
                      profile_schema: writeSlots(renameSlot(slots, key, next)),
                      graph: isFormat1(draft.graph)
                        ? renameSlotIn(draft.graph, key, next)
                        : draft.graph,
                    }))
                    setOpen(next)
                  }}
                  onChange={(changes) =>
                    write(`slot.${key}.${Object.keys(changes).join()}`, {
                      ...slots,
                      [key]: patched(slot, changes),
                    })
                  }
                  onReplace={(next) => write(`slot.${key}`, { ...slots, [key]: next })}
                />
              )}
            </section>
          </At>
        )
      })}
      <Button
        icon="plus"
        disabled={keys.length >= LIMITS.slots}
        onClick={() => {
          const made = addSlot(slots)
          write(null, made.slots)
          setOpen(made.key)
        }}
      >
        {t('newSlot')}
      </Button>
    </div>
  )
}
