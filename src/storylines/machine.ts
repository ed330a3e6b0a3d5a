import { DAY_MS } from '../config/limits'
import type { Outcome, Scope } from './conditions'
import {
  type AskedSlot,
  type Assignments,
  type Exit,
  type ExitEvent,
  GRAPH_LIMITS,
  NODE_DEFAULTS,
  NODE_RULES,
  type StoryNode,
  type StoryText,
} from './graph'
import type { Profile, SlotValue } from './slots'
import {
  type Effect,
  type Ending,
  fillableSlots,
  missingSlots,
  type Person,
  type Ran,
  type Said,
  type Story,
  type StoryEvent,
  type StoryState,
  type StoryStatus,
  type Tried,
} from './story-state'

/**
 * How an enrollment moves (storyline-model, section 5): `(state, event, now) → state + effects`, without time, chance or
 * input of its own. Whoever runs it carries the effects out and hands back what came of them as the next event.
 */

const NO_TOOL: Scope['tool'] = { ok: false, status: 0, data: null }
const GLOBAL = 'global:'
/** No alarm can be set for a day some centuries ahead. */
const LONGEST_WAIT_MS = 100 * 365 * DAY_MS

/** Before its first event: at the start node, which `start` enters. */
export function newState(story: Story, now: number): StoryState {
  const defaults = [...story.slots.values()].flatMap((slot) =>
    slot.default === null ? [] : [[slot.key, slot.default] as const],
  )
  return {
    status: 'active',
    node: story.graph.start,
    pending: 'user',
    visits: {},
    turns: 0,
    attempts: 0,
    count: 0,
    enteredAt: now,
    profile: Object.fromEntries(defaults),
    tool: NO_TOOL,
    step: 0,
    moves: 0,
  }
}

/** @param now milliseconds since 1970, one value for the whole turn. Never throws, whatever the graph. */
export function run(
  story: Story,
  state: StoryState,
  event: StoryEvent,
  person: Person,
  now: number,
): Ran {
  const run = new Run(story, state, person, now)
  if (state.status === 'active') run.take(event)
  return { state: run.state, effects: run.effects, tried: run.tried }
}

/** A statement that could decide a move, for the one structured call of a turn. */
export interface Judgement {
  /** As in `Said.judged`. */
  id: string
  statement: string
}

/**
 * What a model has to be asked before the message can move the enrollment: only statements whose `on` and `when`
 * hold already, given the values that rules have read, or may hold by those that it is asked for with them.
 * @param open the slots that the same call asks for
 */
export function judgementsOf(
  story: Story,
  state: StoryState,
  said: Said,
  person: Person,
  now: number,
  open: readonly string[] = [],
): readonly Judgement[] {
  if (state.status !== 'active' || state.pending === 'entry') return []
  return new Run(story, state, person, now).openJudgements(said, open)
}

/** One event's way through the graph, whole in one place: each step goes on from the state that the one before left. */
class Run {
  readonly effects: Effect[] = []
  readonly tried: Tried[] = []
  #turn: Scope['turn'] = { text: '', lang: '', images: 0, audio: false, count: 0 }

  constructor(
    readonly story: Story,
    public state: StoryState,
    readonly person: Person,
    readonly now: number,
  ) {
    this.#turn.lang = person.lang
  }

  take(event: StoryEvent): void {
    // To come to the start is no move.
    if (event.type !== 'tool' && event.type !== 'handoff')
      this.#set({ moves: event.type === 'start' ? -1 : 0 })
    switch (event.type) {
      case 'start':
        if (event.said) this.#note(event.said)
        this.#enter(this.story.graph.start)
        break
      case 'said':
        this.#hear(event)
        break
      case 'due':
        this.#fallDue()
        break
      case 'tool':
        this.#useResult(event)
        break
      case 'handoff':
        if (this.state.pending === 'handoff') this.#leaveBy(event.ok ? 'done' : 'error', [])
    }
  }

  openJudgements(said: Said, open: readonly string[]): readonly Judgement[] {
    const node = this.#node
    if (!node || !NODE_RULES[node.type].waits) return []
    this.#note(said)
    const missing = missingSlots(node, this.state.profile)
    const mayFill =
      missing.length > 0 && !node.confirm && missing.every(({ slot }) => open.includes(slot))
    const event = mayFill ? 'done' : this.#eventOf(node, said)
    const judges = ({ exit }: { exit: Exit }) => exit.judge !== undefined
    return this.#candidates(node)
      .filter(judges)
      .filter(({ exit, id }) => {
        const fact = this.#factsHold(exit, event)
        return !this.#isTooEarly(node, id) && (fact === null || (mayFill && fact === 'raised'))
      })
      .map(({ exit, id }) => ({ id, statement: exit.judge ?? '' }))
  }

  get #node(): StoryNode | undefined {
    return this.story.graph.nodes[this.state.node]
  }

  #set(change: Partial<StoryState>): void {
    this.state = { ...this.state, ...change }
  }

  #hear(said: Said): void {
    const node = this.#node
    if (!node) {
      this.#end('failed', 'node_missing')
      return
    }
    // A tool or a handoff is under way: its result comes first, and the message finds the node after it.
    if (this.state.pending === 'tool' || this.state.pending === 'handoff') return
    if (said.leave) {
      if (this.story.allowExit) {
        this.#end('exited', 'user_exit')
        return
      }
      this.effects.push({ type: 'leave_refused', node: this.state.node })
    }
    if (this.state.pending === 'entry') {
      this.#note(said)
      this.#enter(this.state.node)
      return
    }
    const isNoted = this.#note(said)
    if (node.type === 'collect') {
      this.#collect(node, said, isNoted)
      return
    }
    const event = this.#eventOf(node, said)
    if (this.#tryExits(node, event, said.judged)) return
    this.#stay(node, said)
  }

  /** Counts the turn and writes what was said. @returns whether that gave a slot another value. */
  #note(said: Said): boolean {
    const { state } = this
    const writable = new Set(fillableSlots(this.story, state.node))
    const values = Object.entries(said.values).filter(
      ([key, value]) => writable.has(key) && this.story.slots.get(key)?.accepts(value),
    )
    this.#set({
      count: state.count + 1,
      turns: state.turns + 1,
      profile: { ...state.profile, ...Object.fromEntries(values) },
    })
    const { text, lang, images, audio } = said
    this.#turn = { text, lang, images, audio, count: this.state.count }
    return values.some(([key, value]) => String(value) !== String(state.profile[key]))
  }

  #collect(node: StoryNode, said: Said, isNoted: boolean): void {
    const confirming = this.state.pending === 'confirm'
    const own = new Set((node.slots ?? []).map(({ slot }) => slot))
    const answered = Object.keys(said.values).some((key) => own.has(key))
    if (confirming && said.confirmed === false && !answered) this.#clear([...own])
    // What corrects another slot is no failed answer to this question.
    const helped = isNoted || said.confirmed === true
    if (!helped && !said.digression) this.#set({ attempts: this.state.attempts + 1 })
    const event = this.#eventOf(node, said)
    if (this.#tryExits(node, event, said.judged)) return
    if (said.digression) this.effects.push({ type: 'digression', node: this.state.node })
    this.#ask(node, true)
  }

  #eventOf(node: StoryNode, said: Said): ExitEvent | null {
    switch (node.type) {
      case 'collect': {
        const complete = missingSlots(node, this.state.profile).length === 0
        const confirmed = !node.confirm || (this.state.pending === 'confirm' && said.confirmed)
        if (complete && confirmed) return 'done'
        const most = node.max_attempts ?? NODE_DEFAULTS.maxAttempts
        return this.state.attempts >= most ? 'failed' : null
      }
      case 'converse':
        return node.max_turns !== undefined && this.state.turns >= node.max_turns ? 'limit' : null
      case 'wait':
        return 'reply'
      default:
        return null
    }
  }

  /** No exit held: the node goes on. */
  #stay(node: StoryNode, said: Said): void {
    if (node.type === 'converse') {
      if (said.digression) this.effects.push({ type: 'digression', node: this.state.node })
      this.effects.push({ type: 'converse', node: this.state.node })
    }
  }

  #fallDue(): void {
    const node = this.#node
    if (this.state.pending === 'entry') {
      this.#enter(this.state.node)
      return
    }
    if (node?.type !== 'wait') return
    if (node.say !== undefined) this.#say(node.say, true)
    this.#leaveBy('due', [])
  }

  #useResult({ ok, status, data }: { ok: boolean; status: number; data: unknown }): void {
    const node = this.#node
    if (this.state.pending !== 'tool' || node?.type !== 'tool') return
    this.#set({ tool: { ok, status, data } })
    if (ok) this.#assign(node.save)
    this.#leaveBy(ok ? 'done' : 'error', [])
  }

  /** Leaves a node that does not wait for the user, or ends: there is nothing it could wait for. */
  #leaveBy(event: ExitEvent | null, judged: readonly string[]): void {
    const node = this.#node
    if (!node) {
      this.#end('failed', 'node_missing')
      return
    }
    this.#set({ pending: 'user' })
    if (this.#tryExits(node, event, judged)) return
    // A wait whose time is up and that has no exit for it keeps waiting for a reply.
    if (!NODE_RULES[node.type].waits) this.#end('failed', 'no_exit')
  }

  #candidates(node: StoryNode): readonly { exit: Exit; id: string }[] {
    const own = (node.exits ?? []).map((exit) => ({ exit, id: exit.id }))
    if (!NODE_RULES[node.type].waits) return own
    const global = (this.story.graph.exits ?? [])
      .filter((exit) => exit.to !== this.state.node)
      .map((exit) => ({ exit, id: GLOBAL + exit.id }))
    return [...global, ...own]
  }

  #tryExits(node: StoryNode, event: ExitEvent | null, judged: readonly string[]): boolean {
    for (const { exit, id } of this.#candidates(node)) {
      const why = this.#whyNot(node, exit, id, event, judged)
      this.tried.push({
        node: this.state.node,
        exit: id,
        held: why === null,
        why: why ?? 'taken',
      })
      if (why !== null) continue
      this.effects.push({ type: 'moved', from: this.state.node, exit: id, to: exit.to })
      this.#assign(exit.set)
      this.#enter(exit.to)
      return true
    }
    return false
  }

  #whyNot(
    node: StoryNode,
    exit: Exit,
    id: string,
    event: ExitEvent | null,
    judged: readonly string[],
  ): Tried['why'] | null {
    if (exit.on === undefined && exit.when === undefined && exit.judge === undefined) {
      const arrived = event !== null && event !== 'reply'
      return NODE_RULES[node.type].defaultHolds || arrived ? null : 'default'
    }
    const fact = this.#factsHold(exit, event)
    if (fact !== null) return fact
    if (exit.judge === undefined) return null
    return judged.includes(id) && !this.#isTooEarly(node, id) ? null : 'judge'
  }

  /** @returns null when `on` and `when` hold, else what does not. */
  #factsHold(exit: Exit, event: ExitEvent | null): Tried['why'] | null {
    if (exit.on !== undefined && exit.on !== event) return 'event'
    if (exit.when === undefined) return null
    const compiled = this.story.conditions.compileCondition(exit.when)
    if (!compiled.ok) return 'raised'
    const outcome = compiled.expression.run(this.#scope())
    if (!outcome.ok) return 'raised'
    return outcome.value === true ? null : 'when'
  }

  /** `min_turns` keeps the judged exits of a converse node shut. */
  #isTooEarly(node: StoryNode, id: string): boolean {
    return !id.startsWith(GLOBAL) && this.state.turns < (node.min_turns ?? 0)
  }

  #enter(key: string): void {
    const node = this.story.graph.nodes[key]
    if (!node || this.state.moves >= GRAPH_LIMITS.movesPerTurn) {
      this.#end('failed', node ? 'too_many_moves' : 'node_missing')
      return
    }
    const { state } = this
    const visits = (state.visits[key] ?? 0) + (state.pending === 'entry' ? 0 : 1)
    this.#set({
      node: key,
      pending: 'user',
      visits: { ...state.visits, [key]: visits },
      turns: 0,
      attempts: 0,
      enteredAt: this.now,
      step: state.step + 1,
      moves: state.moves + 1,
    })
    this.effects.push({ type: 'entered', node: key })
    this.#clear(node.clear ?? [])
    this.#assign(node.set)
    this.#arrive(key, node)
  }

  #arrive(key: string, node: StoryNode): void {
    if (node.type !== 'wait' && node.say !== undefined) this.#say(node.say, false)
    switch (node.type) {
      case 'message':
      case 'branch':
        this.#leaveBy(null, [])
        break
      case 'collect':
        if (missingSlots(node, this.state.profile).length > 0 || node.confirm) {
          this.#ask(node, false)
          break
        }
        this.#leaveBy('done', [])
        break
      case 'converse':
        this.effects.push({ type: 'converse', node: key })
        // Without exits it is a last word: the reply of this turn completes the enrollment.
        if ((node.exits ?? []).length === 0) this.#end('completed', 'last_word')
        break
      case 'tool':
        this.#call(key, node)
        break
      case 'wait':
        this.#wait(key, node)
        break
      case 'handoff':
        this.#set({ pending: 'handoff' })
        this.effects.push({ type: 'handoff', node: key, notify: node.notify ?? [] })
        break
      case 'end':
        this.#end(node.result ?? 'completed', 'end', node.outcome ?? null)
        break
    }
  }

  #ask(node: StoryNode, again: boolean): void {
    const key = this.state.node
    const missing = missingSlots(node, this.state.profile)
    if (missing.length === 0) {
      const slots = (node.slots ?? []).map(({ slot }) => slot)
      this.#set({ pending: 'confirm' })
      this.effects.push({ type: 'confirm', node: key, slots })
      return
    }
    this.#set({ pending: 'user' })
    const form = node.form === true
    // A form shows the optional fields too; questions go one at a time.
    const slots = form ? unset(node, this.state.profile) : missing.slice(0, 1)
    this.effects.push({ type: 'ask', node: key, slots, form, again })
  }

  #call(key: string, node: StoryNode): void {
    const scope = this.#scope()
    const args: Record<string, SlotValue> = {}
    for (const [name, source] of Object.entries(node.args ?? {})) {
      const outcome = this.#evaluate(source, scope)
      if (outcome.ok && outcome.value !== null) args[name] = plain(outcome.value)
    }
    this.#set({ pending: 'tool' })
    const timeoutS = node.timeout_s ?? NODE_DEFAULTS.toolTimeoutS
    const { step } = this.state
    this.effects.push({ type: 'tool', node: key, step, tool: node.tool ?? '', args, timeoutS })
  }

  #wait(key: string, node: StoryNode): void {
    const dueAt = this.#dueAt(node)
    if (dueAt === null) {
      this.#end('failed', 'no_due_time')
      return
    }
    this.effects.push({ type: 'timer', node: key, dueAt })
  }

  #dueAt(node: StoryNode): number | null {
    if (node.minutes !== undefined) return this.now + node.minutes * 60_000
    if (node.until === undefined) return null
    const outcome = this.#evaluate(node.until, this.#scope())
    if (!outcome.ok || !(outcome.value instanceof Date)) return null
    const at = outcome.value.getTime()
    if (Number.isNaN(at)) return null
    return Math.min(Math.max(at, this.now), this.now + LONGEST_WAIT_MS)
  }

  #end(status: StoryStatus, why: Ending, outcome: string | null = null): void {
    this.#set({ status })
    this.effects.push({ type: 'ended', status, node: this.state.node, outcome, why })
  }

  #say(text: StoryText, pushed: boolean): void {
    const { node, profile } = this.state
    this.effects.push({ type: 'say', node, text, profile, pushed })
  }

  #clear(keys: readonly string[]): void {
    if (keys.length === 0) return
    const kept = Object.entries(this.state.profile).filter(([key]) => !keys.includes(key))
    this.#set({ profile: Object.fromEntries(kept) })
  }

  /** All values are computed before one is written, so their order means nothing. One that does not fit is not written. */
  #assign(assignments: Assignments | undefined): void {
    if (assignments === undefined) return
    const scope = this.#scope()
    const written: Record<string, SlotValue> = {}
    for (const [key, source] of Object.entries(assignments)) {
      const outcome = this.#evaluate(source, scope)
      if (!outcome.ok || outcome.value === null) continue
      const slot = this.story.slots.get(key)
      const value = plain(outcome.value, slot?.format)
      if (slot?.accepts(value)) written[key] = value
    }
    this.#set({ profile: { ...this.state.profile, ...written } })
  }

  #evaluate(source: string, scope: Scope): Outcome {
    const compiled = this.story.conditions.compile(source)
    return compiled.ok ? compiled.expression.run(scope) : { ok: false, why: compiled.message }
  }

  #scope(): Scope {
    const { state, now } = this
    return {
      profile: state.profile,
      turn: { ...this.#turn, count: state.count },
      node: {
        turns: state.turns,
        visits: state.visits[state.node] ?? 0,
        attempts: state.attempts,
        seconds: Math.max(0, Math.floor((now - state.enteredAt) / 1000)),
      },
      user: this.person,
      tool: state.tool,
      now,
    }
  }
}

function unset(node: StoryNode, profile: Profile): readonly AskedSlot[] {
  return (node.slots ?? []).filter(({ slot }) => profile[slot] === undefined)
}

/** A timestamp as the format of its slot has it, in UTC. */
function plain(value: SlotValue | Date, format: string | null = null): SlotValue {
  if (!(value instanceof Date)) return value
  const [day = '', time = ''] = value.toISOString().split('T')
  if (format === 'date') return day
  return format === 'time' ? time.slice(0, 'hh:mm:ss'.length) : value.toISOString()
}
