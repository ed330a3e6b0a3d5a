import type { Closest, FormSpec, Frame, Option, StorylineState } from '../../../kit/turn/frames'
import { hearFrame, NEW_REPLY, type TurnReply } from '../../../kit/turn/reply'

/** A question of the test chat with what came of it. */
export interface Exchange extends TurnReply {
  key: string
  question: string
  closest: readonly Closest[]
  suggestions: readonly Option[]
  storyline: StorylineState | null
  /** What the server said of a turn that failed. */
  problem: string | null
}

export const newExchange = (
  key: string,
  question: string,
  storyline: StorylineState | null,
): Exchange => ({ key, question, ...NEW_REPLY, storyline, problem: null })

/** What one frame makes of an exchange. */
export function applyFrame(said: Exchange, frame: Frame): Exchange {
  if (frame.type === 'storyline') return { ...said, storyline: frame.storyline }
  if (frame.type === 'error') return { ...said, state: 'failed', problem: frame.detail }
  return hearFrame(said, frame)
}

export const isRunning = (said: Exchange | undefined): boolean =>
  said?.state === 'waiting' || said?.state === 'live'

/** The lines that a form that was filled in is sent as. */
export function formLines(
  form: FormSpec,
  values: Readonly<Record<string, readonly string[]>>,
  [yes, no]: readonly [yes: string, no: string],
): string {
  return form.fields
    .flatMap(({ name, label, type }) => {
      const given = values[name] ?? []
      if (type === 'boolean') return [`${label}: ${given.length > 0 ? yes : no}`]
      const value = given.join(', ').trim()
      return value === '' ? [] : [`${label}: ${value}`]
    })
    .join('\n')
}
