import { readGate } from '../../knowledge/gate'
import { detectIntent } from '../../text/intents'
import { detectRemark } from '../../text/remarks'
import { nothingFound } from '../nothing-found'
import { mustSearch } from './search-bases'
import type { Step, Turn } from './step'

/**
 * The gate: without anything found to answer from, the model is not called. An agent whose bases are all gone has nothing
 * that could match; it must not begin to answer freely.
 */
export const requireMatch: Step = (turn) => {
  const { message, agent } = turn.request
  if (!isBound(turn) || !mustSearch(turn) || turn.research) return null
  // A node's goal is something to say, whatever was found.
  if (turn.storyline?.guide && turn.model.info.reads === 'prompt') return null
  if (agent.config.tools.includes(detectIntent(message)?.tool ?? '')) return null
  // What was asked for was found worth asking for.
  if (turn.filledIn !== '' || turn.picked || mayCallForIt(turn)) return null
  if (isMatched(turn)) return null
  if (!turn.searchFailed && detectRemark(message) !== null) {
    turn.smallTalk = true
    turn.passages = []
    return null
  }
  return nothingFound(turn)
}

/** Whether only what was found may be said; who reads nothing else says that nothing fits where a base could not be asked. */
const isBound = ({ request: { agent }, searchFailed, model }: Turn): boolean =>
  agent.config.grounding_required || (searchFailed && model.info.reads !== 'prompt')

interface Judged {
  question: string
  context: string
  isOpen: boolean
}

/** By what was found: two steps ask the same. */
const judged = new WeakMap<Turn['results'], Judged>()

/** Whether what was found is about what was asked. */
export function isMatched({ question, context, results, readings }: Turn): boolean {
  const known = judged.get(results)
  if (known?.question === question && known.context === context) return known.isOpen
  const isOpen = results.some((result) => readGate(question, result, context, readings).open)
  judged.set(results, { question, context, isOpen })
  return isOpen
}

/** Whether a tool that the tenant attached may know what no passage says. What the model makes of it is checked as ever. */
const mayCallForIt = ({ model, request: { agent } }: Turn): boolean =>
  model.info.reads === 'prompt' &&
  (agent.mcp.some(({ tools }) => tools?.length !== 0) ||
    agent.skills.some((skill) => skill.tools.length > 0))
