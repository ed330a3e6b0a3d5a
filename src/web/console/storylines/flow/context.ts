import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { VARIABLES, type ValueType } from '../model/conditions'
import type { Selection, Spot } from '../model/problems'
import { findingsAt } from '../model/problems'
import type { Rehearsal } from '../model/rehearsal'
import { type SlotDefinition, slotsOf, valueTypeOf } from '../model/slots'
import type { FunnelNode, Simulation, Storyline } from '../types'
import type { Flow } from './use-flow'

/** What the parts of the editor share. */
export interface Editing {
  flow: Flow
  selection: Selection | null
  select: (selection: Selection | null) => void
  /** The same, and the panel beside stays as it is. */
  look: (selection: Selection) => void
  /** Opens the panel and the field where something is to be mended. */
  goTo: (spot: Spot) => void
  around: Surroundings
  /** Kept here, so that looking at a step does not end it. */
  rehearsed: Rehearsed
  setRehearsed: (change: (was: Rehearsed) => Rehearsed) => void
  funnel: Readonly<Record<string, FunnelNode>> | null
}

export interface Rehearsed {
  rehearsal: Rehearsal
  result: Simulation | null
}

/** What a storyline can name outside itself. */
export interface Surroundings {
  agents: readonly string[]
  bases: readonly string[]
  tools: readonly string[]
  /** Tools of servers, as a tool node calls them: `mcp:server/tool`. */
  serverTools: readonly string[]
  siblings: readonly Pick<Storyline, 'id' | 'name' | 'agent_name'>[]
}

export const EditingContext = createContext<Editing | null>(null)

export function useEditing(): Editing {
  const editing = useContext(EditingContext)
  if (editing === null) throw new Error('not within the editor')
  return editing
}

/** What the last check says of a field. */
export function useErrors(): (path: string) => string | null {
  const { flow } = useEditing()
  return (path) => {
    const [first] = findingsAt(flow.findings ?? [], path)
    return first?.message ?? null
  }
}

export interface KnownSlots {
  slots: Record<string, SlotDefinition>
  keys: string[]
  label: (key: string) => string
  typeOf: (variable: string) => ValueType
}

export function useSlots(): KnownSlots {
  const { flow } = useEditing()
  const slots = slotsOf(flow.draft.profile_schema)
  return {
    slots,
    keys: Object.keys(slots),
    label: (key) => slots[key]?.title || key,
    typeOf: (variable) =>
      VARIABLES[variable] ?? valueTypeOf(slots[variable.slice('profile.'.length)]),
  }
}
