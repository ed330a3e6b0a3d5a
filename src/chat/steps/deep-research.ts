import { localize } from '../../agents/localize'
import { readGate } from '../../knowledge/gate'
import { loadResearch } from '../../lazy'
import { estimateTokens } from '../../models/tokens'
import { readQuestion } from '../../text/question'
import { moveSentences } from '../../wire/present-source'
import { unlessAborted } from '../call-tools'
import type { CitedSource } from '../check'
import type { TurnEvent } from '../events'
import { phrase } from '../phrases'
import type { Research, ResearchTools } from '../research'
import { retrieveSafely } from '../retrieve'
import { outputLimit, type TurnOutcome, type TurnPorts } from '../run-turn'
import type { Exit, Step, Turn, TurnSteps } from './step'

export interface ResearchPorts {
  /** One short call, metered as research; null where nothing came of it. Never throws. */
  askResearch: ResearchTools['ask']
}

type Ports = ResearchPorts &
  Pick<TurnPorts, 'search' | 'onInjection' | 'signal' | 'reserveStep' | 'spent'>

/** What the prompt of a part holds beside its passages. */
const PART_TOKENS = 4_000

/** A large question is looked up part by part. One of a single part is a turn like any other. */
export const lookDeeper = (ports: Ports): Step =>
  async function* (turn): AsyncGenerator<TurnEvent, Exit | null> {
    const { request, onDemand, smallTalk, storyline, filledIn } = turn
    const { config, bases } = request.agent
    if (
      !config.deep_research ||
      bases.length === 0 ||
      onDemand ||
      smallTalk ||
      storyline ||
      filledIn !== ''
    )
      return null
    const { mayBeLarge, research } = await loadResearch()
    const clauses = readQuestion(turn.question, turn.context).map(({ text }) => text)
    const large = { message: turn.question, clauses }
    if (!mayBeLarge(large)) return null
    const found = yield* research(
      {
        // Whoever stops does not wait for words that nobody will read.
        ask: (order, parts) => unlessAborted(ports.askResearch(order, parts), ports.signal),
        signal: ports.signal,
        search: async (query, question) => {
          const { passages, results, failed } = await retrieveSafely(ports, turn, query)
          turn.searchFailed ||= failed
          const open = results.some((result) => readGate(question, result, '', turn.readings).open)
          return { passages, results, open }
        },
      },
      large,
    )
    // What could not be looked for would be told as not found: the turn goes on as any other.
    if (found === null || found.findings.length === 0 || turn.searchFailed) return null
    turn.research = found
    turn.passages = [
      ...new Map(
        found.findings.flatMap(({ passages }) => passages.map((one) => [one.n, one] as const)),
      ).values(),
    ]
    turn.results = found.findings.flatMap(({ results }) => results)
    return null
  }

/** The answer to a large question: each part's own answer, proven as ever, and at the end what was not found. */
export const reportOn =
  (ports: Ports, answer: TurnSteps['answer']): NonNullable<TurnSteps['report']> =>
  (turn, research) =>
    report(ports, answer, turn, research)

async function* report(
  ports: Ports,
  answer: TurnSteps['answer'],
  turn: Turn,
  { findings, missing }: Research,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  const { headingOf, missingPart } = await loadResearch()
  const cited = new Map<number, CitedSource>()
  const unsourced: string[] = []
  const open = [...missing]
  let reply = ''
  let finishReason: TurnOutcome['finishReason'] = 'stop'
  for (const [at, finding] of findings.entries()) {
    const room = PART_TOKENS + estimateTokens(finding.passages.map(({ text }) => text).join('\n'))
    // The first is part of what the turn has reserved.
    if (at > 0 && !(await ports.reserveStep(room + outputLimit(turn.request)))) {
      open.push(...findings.slice(at).map(({ question }) => question))
      finishReason = 'length'
      break
    }
    const asked = partOf(turn, finding)
    const part = yield* quietly(answer(asked))
    turn.start ??= asked.start
    turn.handoff ??= asked.handoff
    turn.asked ??= asked.asked
    unsourced.push(...part.unsourced)
    if (turn.asked && part.reply === '') break
    if (part.finishReason !== 'stop' && part.finishReason !== 'length') {
      open.push(finding.question)
      continue
    }
    if (part.finishReason === 'length') finishReason = 'length'
    const before = `${reply === '' ? '' : '\n\n'}${headingOf(finding.question)}`
    const moved = moveSentences(part.cited, (offset) => offset + reply.length + before.length)
    for (const source of moved) cited.set(source.n, joined(cited.get(source.n), source))
    reply += before + part.reply
    yield { type: 'token', text: before + part.reply }
  }
  const nothing = reply === '' && turn.asked === null
  const { noMatchReply } = localize(turn.request.agent.config, turn.lang)
  const rest = nothing
    ? (noMatchReply ?? phrase('no_match', turn.lang))
    : missingPart(open, turn.lang)
  const last = nothing || rest === '' ? rest : `\n\n${rest}`
  if (last !== '') yield { type: 'token', text: last }
  return {
    reply: reply + last,
    finishReason: nothing && finishReason === 'stop' ? 'no_match' : finishReason,
    cited: [...cited.values()],
    model: turn.model.name,
    usage: ports.spent.total(),
    unsourced,
    closest: [],
    researched: true,
  }
}

/** A turn that asks for one part alone. */
const partOf = (
  turn: Turn,
  { question, passages, results }: Research['findings'][number],
): Turn => ({
  ...turn,
  request: { ...turn.request, message: question, images: [] },
  history: [],
  summary: '',
  question,
  context: '',
  passages,
  results,
})

/** A part is shown once it is known that it says something. */
async function* quietly(
  part: AsyncGenerator<TurnEvent, TurnOutcome>,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  for (;;) {
    const step = await part.next()
    if (step.done) return step.value
    if (step.value.type !== 'token' && step.value.type !== 'replace') yield step.value
  }
}

/** A passage that several parts cite is one source, with the places of all. */
function joined(known: CitedSource | undefined, source: CitedSource): CitedSource {
  if (!known) return source
  const spans = [...known.spans]
  for (const span of source.spans) {
    const at = spans.findIndex(({ start, end }) => start === span.start && end === span.end)
    const same = spans[at]
    if (same) spans[at] = { ...same, sentences: [...same.sentences, ...span.sentences] }
    else spans.push(span)
  }
  return { ...known, spans }
}
