import { type Judged, type JudgeQuestion, provenOf, type Verdict } from '../chat/storyline/judge'
import { readSaid } from '../chat/storyline/read-said'
import type { Language } from '../config/names'
import { newState } from '../storylines/machine'
import { type Carrier, play, type ToolResult } from '../storylines/play'
import type { SimulateIn } from '../storylines/schema'
import type { Profile } from '../storylines/slots'
import { type Spoken, speak } from '../storylines/speak'
import type { Effect, Ran, Story, StoryEvent, StoryState } from '../storylines/story-state'
import { storyWord } from '../storylines/words'
import { detectLanguage } from '../text/detect-language'
import { foldText } from '../text/fold-text'
import { languageOfAnswer } from '../text/language-of-answer'

/**
 * A storyline tried out: the same reading, the same machine and the same words as in a chat, and nobody who hears of it.
 * Nothing is stored, called or sent; tools answer as the caller says.
 */

export type Simulation = Omit<SimulateIn, 'profile'> & { profile: Profile }

/** Asks a model; null where there is none, or no answer of it. */
export type SimulatedJudge = (
  question: Pick<JudgeQuestion, 'statements' | 'slots' | 'asked' | 'message' | 'history'>,
) => Promise<Verdict | null>

/** A statement that was open at this turn, and who said what of it. */
export interface SimulatedVerdict {
  exit: string
  answer: Judged['answer'] | null
  /** Null: nobody was asked, or gave no answer. A yes without a true quote does not move. */
  by: string | null
  quote: string | null
  proven: boolean
}

export interface SimulatedCall {
  node: string
  tool: string
  args: Readonly<Record<string, unknown>>
  /** `not_simulated`: no result was given for it, so it failed. */
  result: 'simulated' | 'not_simulated'
  ok: boolean
}

export interface SimulatedTurn {
  turn: number
  /** As it was read; null where only time passed. */
  message: string | null
  said: readonly string[]
  question: string | null
  clarify: Spoken['clarify']
  form: Spoken['form']
  /** What the agent would talk about, with its knowledge and its tools: no answer is written here. */
  leads: string | null
  status: StoryState['status']
  node: string
  slots: Profile
  moves: readonly { from: string; exit: string; to: string }[]
  tried: Ran['tried']
  judged: readonly SimulatedVerdict[]
  calls: readonly SimulatedCall[]
  /** The message is about something else: the agent answers it first. */
  digression: boolean
  handoff: boolean
  due_at: number | null
}

/** How often a clock may strike within one wait: a flow that wakes itself every minute does not run for a year. */
const MAX_STRIKES = 16

/**
 * @param displayName a first message that is it picks the storyline from the menu.
 * @param judge null where only what the simulation itself says of exits counts.
 */
export async function simulate(
  story: Story,
  displayName: string,
  simulation: Simulation,
  now: number,
  judge: SimulatedJudge | null,
): Promise<SimulatedTurn[]> {
  const run = new Simulated(story, displayName, simulation, now, judge)
  const turns: SimulatedTurn[] = []
  for (const message of simulation.messages) turns.push(await run.take(message, turns.length + 1))
  return turns
}

class Simulated {
  #state: StoryState
  #asked: readonly string[] = []
  #lang: Language = 'en'
  #dueAt: number | null = null
  #begun = false
  /** The message answered values that were read back. */
  #confirmed = false
  #calls: SimulatedCall[] = []
  #judged: SimulatedVerdict[] = []
  readonly #history: { role: 'user' | 'assistant'; content: string }[] = []

  constructor(
    readonly story: Story,
    readonly displayName: string,
    readonly simulation: Simulation,
    public now: number,
    readonly judge: SimulatedJudge | null,
  ) {
    const state = newState(story, now)
    this.#state = { ...state, profile: { ...state.profile, ...simulation.profile } }
  }

  async take(message: SimulateIn['messages'][number], turn: number): Promise<SimulatedTurn> {
    this.#calls = []
    this.#judged = []
    const text = textOf(message)
    const before = this.#state
    const ran = text === null ? await this.#wait(message) : await this.#hear(text)
    const missed = !this.#confirmed && ran.state.attempts > before.attempts
    const spoken = speak(this.story, ran, this.#voice, missed)
    this.#follow(ran.effects)
    const said = this.#wordsOf(ran, spoken)
    if (ran.effects.length > 0) this.#asked = spoken.asked
    const told = [...said, spoken.question].filter((part) => part !== '')
    if (text !== null) this.#history.push({ role: 'user', content: text })
    if (told.length > 0) this.#history.push({ role: 'assistant', content: told.join('\n\n') })
    const { node, status, profile } = this.#state
    return {
      turn,
      message: text,
      said,
      question: spoken.question === '' ? null : spoken.question,
      clarify: spoken.clarify,
      form: spoken.form,
      leads:
        spoken.converse === null ? null : (this.story.graph.nodes[spoken.converse]?.goal ?? ''),
      status,
      node,
      slots: profile,
      moves: ran.effects.flatMap((effect) =>
        effect.type === 'moved' ? [{ from: effect.from, exit: effect.exit, to: effect.to }] : [],
      ),
      tried: ran.tried,
      judged: this.#judged,
      calls: this.#calls,
      digression: spoken.digression,
      handoff: spoken.handedOff,
      due_at: this.#dueAt,
    }
  }

  /** As a chat words it. */
  #wordsOf({ effects }: Ran, { said, digression }: Spoken): readonly string[] {
    if (effects.some((effect) => effect.type === 'ended' && effect.why === 'user_exit'))
      return [storyWord('left', this.#lang, { name: this.displayName })]
    const steers = digression && this.story.graph.settings?.digression === 'steer'
    return steers ? [storyWord('steer', this.#lang)] : said
  }

  get #voice() {
    return { lang: this.#lang, forms: true }
  }

  get #person() {
    return { registered: false, lang: this.#lang, timezone: '', city: '' }
  }

  async #hear(text: string): Promise<Ran> {
    const tell = this.#asked.length > 0 ? languageOfAnswer : detectLanguage
    this.#lang = tell(text) ?? this.#lang
    this.#confirmed = false
    if (this.#state.status !== 'active') return { state: this.#state, effects: [], tried: [] }
    const picks = !this.#begun && foldText(text.trim()).text === foldText(this.displayName).text
    const said = picks ? null : await this.#read(text)
    this.#confirmed = said?.confirmed != null
    if (said === null || !this.#begun) {
      this.#begun = true
      return this.#play({ type: 'start', said })
    }
    return this.#play({ type: 'said', ...said })
  }

  async #read(text: string) {
    const place = { state: this.#state, asked: this.#asked }
    const message = { text, lang: this.#lang, images: 0, audio: false }
    const given: string[] = []
    const said = await readSaid(this.story, place, message, {
      person: this.#person,
      now: this.now,
      voice: this.#voice,
      judge: (question) => this.#ask(text, question, given),
    })
    return { ...said, judged: [...said.judged, ...given] }
  }

  /** What the simulation says of a statement stands; a model is asked for the rest. @param yes takes the exits that it opens. */
  async #ask(
    text: string,
    { statements, slots, asked }: Pick<JudgeQuestion, 'statements' | 'slots' | 'asked'>,
    yes: string[],
  ): Promise<Verdict | null> {
    const told = statements.map((one) => ({ ...one, answer: this.#answerOf(one.id) }))
    for (const { id, answer } of told) {
      if (answer === null) continue
      this.#judged.push({ exit: id, answer, by: 'given', quote: null, proven: answer === 'yes' })
      if (answer === 'yes') yes.push(id)
    }
    const open = told.filter(({ answer }) => answer === null)
    const question = { statements: open, slots, asked, message: text, history: this.#history }
    const verdict =
      this.judge && (open.length > 0 || slots.length > 0) ? await this.judge(question) : null
    const proven = new Set(provenOf(verdict))
    for (const { id } of open) {
      const one = verdict?.judged.find((judged) => judged.id === id)
      this.#judged.push({
        exit: id,
        answer: one?.answer ?? null,
        by: one?.model ?? null,
        quote: one?.quote ?? null,
        proven: proven.has(id),
      })
    }
    return verdict
  }

  /** By `node.exit`, else by the exit's own id. */
  #answerOf(id: string): 'yes' | 'no' | null {
    const given = new Map(Object.entries(this.simulation.judge ?? {}))
    return given.get(`${this.#state.node}.${id}`) ?? given.get(id) ?? null
  }

  /** The clock moves on; what falls due meanwhile happens at its time. */
  async #wait(message: SimulateIn['messages'][number]): Promise<Ran> {
    const minutes =
      typeof message === 'object' && 'wait_minutes' in message ? message.wait_minutes : 0
    const until = this.now + minutes * 60_000
    const effects: Effect[] = []
    const tried: Ran['tried'][number][] = []
    for (let strikes = 0; strikes < MAX_STRIKES; strikes++) {
      if (this.#dueAt === null || this.#dueAt > until) break
      this.now = Math.max(this.now, this.#dueAt)
      const ran = await this.#play({ type: 'due' })
      this.#follow(ran.effects, true)
      effects.push(...ran.effects)
      tried.push(...ran.tried)
    }
    this.now = until
    return { state: this.#state, effects, tried }
  }

  async #play(event: StoryEvent): Promise<Ran> {
    const ran = await play(this.story, this.#state, event, this.#person, this.now, this.#carrier)
    this.#state = ran.state
    return ran
  }

  /** @param struck the time that was waited for is up. */
  #follow(effects: readonly Effect[], struck = false): void {
    const timer = effects.findLast((effect) => effect.type === 'timer')
    const waits = this.#state.status === 'active' && timer?.node === this.#state.node
    const moved = effects.some(({ type }) => type === 'moved' || type === 'ended')
    if (waits) this.#dueAt = timer.dueAt
    else if (moved || struck) this.#dueAt = null
  }

  get #carrier(): Carrier {
    return {
      callTool: async ({ node, tool, args }) => {
        const given = this.#resultOf(tool)
        const ok = given?.ok ?? false
        this.#calls.push({ node, tool, args, result: given ? 'simulated' : 'not_simulated', ok })
        return given ?? { ok: false, status: 0, data: null }
      },
      handOff: async () => this.#resultOf('handoff')?.ok ?? true,
    }
  }

  #resultOf(tool: string): ToolResult | undefined {
    return new Map(Object.entries(this.simulation.tools ?? {})).get(tool)
  }
}

/** A form comes as the page sends it, a line for each field. */
function textOf(message: SimulateIn['messages'][number]): string | null {
  if (typeof message === 'string') return message
  if ('wait_minutes' in message) return null
  return Object.entries(message.form)
    .map(([slot, value]) => `${slot}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join('\n')
}
