import { DAY_MS, HOUR_MS } from '../config/limits'
import { failureMessage, type ModelFailureCode } from '../models/model-failure'
import { isoOf } from '../time'

/** How a call of a model went; `code` null: it answered. */
export interface ModelHealth {
  model: string
  code: ModelFailureCode | null
}

/** The same, since when, and when it was last seen so. */
export interface KnownModel extends ModelHealth {
  since: number
  seenAt: number
}

const MODELS_KEPT = 8
/** A failure that nobody met for so long is of a model that nobody uses any more. */
const FAILURE_KEPT_MS = DAY_MS
/** How exactly it is known when a failure was last met. */
const SEEN_STEP_MS = HOUR_MS

/** What is known after a call; the very same list when it says nothing new, so that nothing is written. Pure. */
export function noteModel(
  known: readonly KnownModel[],
  { model, code }: ModelHealth,
  now: number,
): readonly KnownModel[] {
  const before = known.find((one) => one.model === model)
  const same = before?.code === code
  if (same && (code === null || now < before.seenAt + SEEN_STEP_MS)) return known
  const others = known.filter((one) => one.model !== model)
  return [{ model, code, since: same ? before.since : now, seenAt: now }, ...others].slice(
    0,
    MODELS_KEPT,
  )
}

/** `model_status` of the settings: the newest failure, else the model that was heard of last. Pure. */
export function presentModelStatus(known: readonly KnownModel[], now: number) {
  const failing = known.filter(
    ({ code, seenAt }) => code !== null && now < seenAt + FAILURE_KEPT_MS + SEEN_STEP_MS,
  )
  const told = failing[0] ?? known.find(({ code }) => code === null)
  if (!told)
    return { model: null, state: 'unknown' as const, code: null, message: null, since: null }
  const { model, code, since } = told
  return {
    model,
    state: code === null ? ('ok' as const) : ('failing' as const),
    code,
    message: code && failureMessage(code),
    since: isoOf(since),
  }
}
