import { prepareShortCall } from '../../../src/chat/short-call'
import { prepareJudging } from '../../../src/chat/storyline/judge'
import type { GuidePorts } from '../../../src/chat/storyline/scene'
import type { Language } from '../../../src/config/names'
import { loadRules } from '../../../src/lazy'
import type { createLog } from '../../../src/log'
import type { ResolvedModel } from '../../../src/models/chat-model'
import type { Story } from '../../../src/storylines/story-state'
import type { TurnCalls } from './turn-calls'

/** An answer that is not what was asked for is asked for once more. */
const ATTEMPTS = 2
const RESTATE_MS = 8_000

/** Asks the turn's model what a message says to a storyline. Without quota or answer nothing: what it would open stays closed. */
export function createJudge(
  model: ResolvedModel,
  calls: TurnCalls,
  log: ReturnType<typeof createLog>,
): GuidePorts['judge'] {
  return async (question) => {
    const call = prepareJudging(model, question)
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const judged = await calls.make('storyline', model.name, call)
        if (judged === null || judged.value) return judged?.value ?? null
      }
    } catch (error) {
      log.error('storyline_not_judged', error)
    }
    return null
  }
}

/** What texts of a storyline are in other languages, as long as it is kept. */
const known = new WeakMap<Story, Map<Language, Map<string, string>>>()

/** Says texts in another language by the turn's model. Without quota or answer they stay as they are written. */
export function createRestater(
  model: ResolvedModel,
  calls: TurnCalls,
  log: ReturnType<typeof createLog>,
): GuidePorts['restate'] {
  return async (story, texts, lang) => {
    const languages = known.get(story) ?? new Map<Language, Map<string, string>>()
    const said = languages.get(lang) ?? new Map<string, string>()
    known.set(story, languages.set(lang, said))
    const wanted = texts.filter((text) => !said.has(text))
    try {
      if (wanted.length > 0) {
        const { readRestated, restateCall } = await loadRules()
        const order = restateCall(wanted, lang)
        const call = prepareShortCall(model, { ...order, deadlineMs: RESTATE_MS })
        const made = await calls.make('storyline', model.name, call)
        if (made) for (const [text, words] of readRestated(made.text, wanted)) said.set(text, words)
      }
    } catch (error) {
      log.error('storyline_not_restated', error)
    }
    return said
  }
}
