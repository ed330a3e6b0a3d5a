import type { StoryNode } from '../graph'
import type { Slot } from '../slots'
import type { Examined, Path } from './findings'

export function checkNodeSlots(examined: Examined, key: string, node: StoryNode, path: Path): void {
  for (const [index, { slot }] of (node.slots ?? []).entries()) {
    const at = [...path, 'slots', index, 'slot']
    const found = knownSlot(examined, slot, at, key)
    if (found?.computed) {
      const message = `${slot} is computed and cannot be asked for`
      examined.add('slot_computed', at, message, { node: key })
    }
  }
  for (const [index, slot] of (node.extract ?? []).entries()) {
    const at = [...path, 'extract', index]
    if (knownSlot(examined, slot, at, key)?.computed) {
      const message = `${slot} is computed and cannot be taken from what the user says`
      examined.add('slot_computed', at, message, { node: key })
    }
  }
  for (const [index, slot] of (node.clear ?? []).entries()) {
    knownSlot(examined, slot, [...path, 'clear', index], key)
  }
}

/** Reports a slot that `profile_schema` does not declare. */
export function knownSlot(
  examined: Examined,
  slot: string,
  path: Path,
  node?: string,
): Slot | undefined {
  const found = examined.slots.get(slot)
  if (!found) {
    const message = `profile_schema has no slot ${slot}`
    examined.add('unknown_slot', path, message, node === undefined ? {} : { node })
  }
  return found
}
