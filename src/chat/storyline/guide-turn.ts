import type { FinishReason, Language } from '../../config/names'
import { countSteps } from '../../storylines/count-steps'
import { type Enrollment, isOpen, type KeptState } from '../../storylines/enrollment'
import {
  type Judgement,
  newState,
  type Person,
  type Ran,
  type Said,
  type Story,
  type StoryEvent,
} from '../../storylines/machine'
import { play } from '../../storylines/play'
import { readAnswer } from '../../storylines/read-answer'
import type { LiveStoryline, StorylineRevision } from '../../storylines/records'
import { type ShownStoryline, showStoryline } from '../../storylines/show'
import {
  askAgain,
  type Clarify,
  type Form,
  optionOf,
  type Spoken,
  shownValue,
  speak,
  type Voice,
} from '../../storylines/speak'
import {
  isBarred,
  isMeant,
  isNear,
  mayStart,
  OFFER_MS,
  pickedFromMenu,
  startsByItself,
} from '../../storylines/starts'
import { inEveryLanguage, storyWord } from '../../storylines/words'
import { detectLanguage } from '../../text/detect-language'
import type { Turn } from '../steps/step'
import { type CarrierPorts, carrierOf } from './carry'
import type { EnrollmentChange, Playable, StorylineDesk } from './desk'
import type { Judged, JudgeQuestion, Verdict } from './judge'
import { provenOf, questionOf, readSaid } from './read-said'

export type GuidePorts = CarrierPorts & {
  storylines: StorylineDesk
  /** The one structured call of the turn; null where there is no quota, no answer, or no model. Never rejects. */
  judge(question: JudgeQuestion): Promise<Verdict | null>
}

/** The part of a prompt that a node writes. */
export interface NodeGuide {
  goal: string
  instructions: string
  /** What was noted, a line each: data. */
  noted: readonly string[]
}

/** What storylines make of a turn: what is said and shown, and what is committed with the reply. */
export interface StorylineTurn {
  changes: EnrollmentChange[]
  /** The whole reply, where the agent has nothing to add; else null. */
  reply: string | null
  /** Before and after what the agent says. */
  opening: string
  closing: string
  guide: NodeGuide | null
  /** Bases and tools of the node that leads the conversation; null for the agent's own. */
  bases: readonly string[] | null
  tools: readonly string[] | null
  /** What is searched where the user did not ask anything yet; null for the message. */
  topic: string | null
  finishReason: FinishReason
  shown: ShownStoryline | null
  clarify: Clarify | null
  form: Form | null
}

const NOTHING: Omit<StorylineTurn, 'changes'> = {
  reply: null,
  opening: '',
  closing: '',
  guide: null,
  bases: null,
  tools: null,
  topic: null,
  finishReason: 'stop',
  shown: null,
  clarify: null,
  form: null,
}

/** How many storylines one turn may run through, each the next of the one before. */
const MAX_CHAIN = 4
/** Where nothing is seen but the text. */
const TEXT_ONLY = 'openai'
/** Channels whose people see no form. */
const FORMLESS: readonly string[] = [TEXT_ONLY, 'telegram']

/**
 * Reads the message for the storyline that the user is in, or starts one. Null where none has anything to say: the agent
 * answers as ever.
 */
export async function guideTurn(ports: GuidePorts, turn: Turn): Promise<StorylineTurn | null> {
  const open = await ports.storylines.open()
  return new Guide(ports, turn, open).run()
}

interface Running {
  enrollment: Enrollment
  live: LiveStoryline
}

class Guide {
  readonly #ports: GuidePorts
  readonly #turn: Turn
  readonly #storylines: readonly LiveStoryline[]
  #open: readonly Enrollment[]
  /** Whether nobody else changes them now. */
  #entered: boolean
  readonly #changes = new Map<string, EnrollmentChange>()
  #person: Person = { registered: false, lang: 'en', timezone: '', city: '' }
  #judged: readonly Judged[] = []

  constructor(ports: GuidePorts, turn: Turn, open: readonly Enrollment[]) {
    this.#ports = ports
    this.#turn = turn
    this.#storylines = turn.request.agent.storylines ?? []
    this.#open = open
    this.#entered = open.length > 0
  }

  get #message(): string {
    return this.#turn.request.message
  }

  get #now(): number {
    return this.#turn.request.now
  }

  async run(): Promise<StorylineTurn | null> {
    const offer = this.#answeredOffer()
    const picked = offer ? null : pickedFromMenu(this.#message, this.#storylines)
    const running = this.#running
    const [focus] = running
    const candidates = offer || picked ? [] : this.#candidates(running)
    const holding = this.#open.find(({ status }) => status === 'completed')
    if (!offer && !picked && !focus && candidates.length === 0 && !holding) return null
    if (!this.#entered) {
      this.#entered = true
      this.#open = await this.#ports.storylines.enter()
      return this.run()
    }
    await this.#meet()
    if (offer) return offer.accepted ? this.#begin(offer) : this.#decline(offer)
    if (picked && this.#isFree(picked, running))
      return this.#begin({ live: picked, enrollment: null })
    const answered = focus ? await this.#answers(running) : null
    if (candidates.length > 0 && !answered?.complete) {
      const wanted = await this.#wanted(candidates)
      if (wanted)
        return wanted.entry === 'offer'
          ? this.#offer(wanted)
          : this.#begin({ live: wanted, enrollment: null })
    }
    if (answered) return this.#hear(answered.one)
    return holding ? this.#hold(holding) : null
  }

  /** Enrollments under way, of storylines that are published: others rest until theirs is again. */
  get #running(): readonly Running[] {
    return this.#open.flatMap((enrollment) => {
      const live = this.#storylines.find(({ id }) => id === enrollment.storylineId)
      return live && enrollment.status === 'active' ? [{ enrollment, live }] : []
    })
  }

  async #meet(): Promise<void> {
    const { registered, timezone, city } = await this.#turn.lookups.profile
    this.#person = {
      registered,
      lang: this.#turn.lang,
      timezone: timezone ?? '',
      city: city ?? '',
    }
  }

  #voice(kept: Pick<KeptState, 'lang'> | null): Voice {
    const lang = detectLanguage(this.#message) ?? kept?.lang ?? this.#turn.request.lang
    return { lang, forms: !FORMLESS.includes(this.#turn.request.channel) }
  }

  // Starts ----------------------------------------------------------------------------------------------------------

  #answeredOffer(): { live: LiveStoryline; enrollment: Enrollment; accepted: boolean } | null {
    const enrollment = this.#open.find(
      ({ status, dueAt }) => status === 'offered' && (dueAt === null || dueAt > this.#now),
    )
    const live = enrollment && this.#storylines.find(({ id }) => id === enrollment.storylineId)
    if (!enrollment || !live) return null
    const words = { slots: new Map(), asked: [], fillable: [], leave: [] }
    const isOne = (labels: readonly string[]) =>
      readAnswer(this.#message, { ...words, confirming: false, leave: labels }).leave
    if (isOne(inEveryLanguage('start'))) return { live, enrollment, accepted: true }
    if (isOne(inEveryLanguage('not_now'))) return { live, enrollment, accepted: false }
    // A bare yes or no answers what was said last in this chat.
    if (enrollment.sessionId !== this.#ports.storylines.sessionId || this.#running.length > 0)
      return null
    const { confirmed } = readAnswer(this.#message, { ...words, confirming: true })
    return confirmed === null ? null : { live, enrollment, accepted: confirmed }
  }

  #isFree(live: LiveStoryline, running: readonly Running[]): boolean {
    const paused = this.#open.filter(({ pausedBy }) => pausedBy !== null).length
    const isIn = this.#open.some((one) => one.storylineId === live.id && isOpen(one))
    return (
      !isIn &&
      mayStart(
        live,
        running.map((one) => one.live),
        paused,
      )
    )
  }

  /** What may start by itself at this message; nothing is read for an agent without such a storyline. */
  #candidates(running: readonly Running[]): readonly LiveStoryline[] {
    const free = this.#storylines.filter(
      (live) =>
        startsByItself(live) &&
        this.#isFree(live, running) &&
        (live.trigger === 'intent' ? isNear(this.#message, live) : running.length === 0),
    )
    if (free.length === 0) return []
    const desk = this.#ports.storylines
    const place = free.some(({ trigger }) => trigger !== 'intent') ? desk.place() : null
    const triggered = free.filter(({ trigger }) => {
      if (trigger === 'first_contact') return place?.firstContact === true
      return trigger === 'intent' || place?.firstMessage === true
    })
    if (triggered.length === 0) return []
    const past = desk.past()
    return triggered.filter((live) => !isBarred(live, past, this.#now))
  }

  /** The first candidate whose condition holds and, where it goes by intent, that the message means. */
  async #wanted(candidates: readonly LiveStoryline[]): Promise<LiveStoryline | null> {
    const asked: LiveStoryline[] = []
    for (const live of candidates) {
      if (live.start.when !== null && !(await this.#allows(live))) continue
      if (live.trigger !== 'intent' || isMeant(this.#message, live)) return live
      asked.push(live)
    }
    if (asked.length === 0) return null
    const statements = asked.map((live): Judgement => ({ id: live.id, statement: intentOf(live) }))
    const verdict = await this.#judge({ statements, slots: [], asked: '' })
    const meant = provenOf(verdict)
    return asked.find(({ id }) => meant.includes(id)) ?? null
  }

  async #allows(live: LiveStoryline): Promise<boolean> {
    const playable = await this.#ports.storylines.story(live.revisionId)
    const compiled = playable?.story.conditions.compileCondition(live.start.when ?? '')
    if (!compiled?.ok) return false
    const { images, transcript } = this.#turn.request
    const outcome = compiled.expression.run({
      profile: {},
      turn: {
        text: this.#message,
        lang: this.#turn.lang,
        images: images.length,
        audio: transcript !== null,
        count: 0,
      },
      node: { turns: 0, visits: 0, attempts: 0, seconds: 0 },
      user: this.#person,
      tool: { ok: false, status: 0, data: null },
      now: this.#now,
    })
    return outcome.ok && outcome.value === true
  }

  async #offer(live: LiveStoryline): Promise<StorylineTurn | null> {
    const playable = await this.#ports.storylines.story(live.revisionId)
    if (!playable) return null
    const enrollment = {
      ...this.#newEnrollment(live, playable, 'offered'),
      dueAt: this.#now + OFFER_MS,
    }
    this.#change({ enrollment, counts: [], log: null })
    const { lang } = this.#voice(null)
    const question = storyWord('offer', lang, { name: live.displayName })
    const clarify = { question, options: startOptions(lang) }
    return this.#told({ closing: question, clarify, finishReason: 'clarify' })
  }

  async #decline({ enrollment }: { enrollment: Enrollment }): Promise<StorylineTurn> {
    const ended = { ...enrollment, status: 'exited' as const, dueAt: null, updatedAt: this.#now }
    this.#change({ enrollment: ended, counts: [], log: null })
    return this.#told({ reply: storyWord('declined', this.#voice(enrollment.kept).lang) })
  }

  #newEnrollment(
    live: LiveStoryline,
    { story, revision }: Playable,
    status: 'offered' | 'active',
  ): Enrollment {
    const state = newState(story, this.#now)
    return {
      id: this.#ports.storylines.newId(),
      storylineId: live.id,
      revisionId: revision.id,
      agentId: this.#turn.request.agent.id,
      status,
      pausedBy: null,
      node: state.node,
      sessionId: this.#ports.storylines.sessionId,
      dueAt: null,
      holds: false,
      reports: 0,
      enteredNodeAt: this.#now,
      lastTurnAt: this.#now,
      createdAt: this.#now,
      updatedAt: this.#now,
      kept: { state, asked: [], lang: detectLanguage(this.#message), milestone: null },
    }
  }

  /** Starts a storyline: with the message that led to it, so that nothing it says is asked again. */
  async #begin({
    live,
    enrollment,
  }: {
    live: LiveStoryline
    enrollment: Enrollment | null
  }): Promise<StorylineTurn | null> {
    const playable = await this.#ports.storylines.story(enrollment?.revisionId ?? live.revisionId)
    if (!playable) return null
    const begun = enrollment
      ? { ...enrollment, status: 'active' as const, dueAt: null }
      : this.#newEnrollment(live, playable, 'active')
    const [interrupted] = this.#running
    if (interrupted && live.concurrency === 'interrupt') {
      const paused = { ...interrupted.enrollment, status: 'paused' as const, pausedBy: begun.id }
      this.#change({ enrollment: { ...paused, updatedAt: this.#now }, counts: [], log: null })
    }
    const isChoice = enrollment !== null || pickedFromMenu(this.#message, [live]) !== null
    const said = isChoice ? null : await this.#read(begun, playable.story)
    return this.#play(begun, playable, { type: 'start', said })
  }

  // The message -----------------------------------------------------------------------------------------------------

  /** Whom a message answers: of several the one that it fits, else the one that spoke last. */
  async #answers(running: readonly Running[]): Promise<{ one: Running; complete: boolean } | null> {
    const [first] = running
    for (const one of running) {
      const playable = await this.#ports.storylines.story(one.enrollment.revisionId)
      if (!playable) continue
      const read = readAnswer(this.#message, questionOf(one.enrollment.kept, playable.story))
      if (read.complete) return { one, complete: true }
    }
    return first ? { one: first, complete: false } : null
  }

  async #hear({ enrollment }: Running): Promise<StorylineTurn | null> {
    const playable = await this.#ports.storylines.story(enrollment.revisionId)
    if (!playable) {
      const failed = { ...enrollment, status: 'failed' as const, updatedAt: this.#now, dueAt: null }
      const counts = [{ node: enrollment.node, kind: 'failed' as const, name: '', n: 1 }]
      this.#change({ enrollment: failed, counts, log: null })
      return this.#told({})
    }
    const said = await this.#read(enrollment, playable.story)
    return this.#play(enrollment, playable, { type: 'said', ...said })
  }

  /** What the message says: by rule, then by the one structured call where something is left to ask. */
  #read({ kept }: Enrollment, story: Story): Promise<Said> {
    const { request, lang } = this.#turn
    const message = {
      text: this.#message,
      lang,
      images: request.images.length,
      audio: request.transcript !== null,
    }
    return readSaid(story, kept, message, {
      person: this.#person,
      now: this.#now,
      voice: this.#voice(kept),
      judge: (question) => this.#judge(question),
    })
  }

  async #judge(
    question: Pick<JudgeQuestion, 'statements' | 'slots' | 'asked'>,
  ): Promise<Verdict | null> {
    if (this.#turn.model.info.reads !== 'prompt') return null
    const { history } = this.#turn
    const verdict = await this.#ports.judge({
      ...question,
      message: this.#message,
      history,
      nonce: this.#ports.nonce,
    })
    this.#judged = verdict?.judged ?? []
    return verdict
  }

  // Running ---------------------------------------------------------------------------------------------------------

  async #play(
    enrollment: Enrollment,
    playable: Playable,
    event: StoryEvent,
  ): Promise<StorylineTurn> {
    const voice = this.#voice(enrollment.kept)
    const { story } = playable
    const { state } = enrollment.kept
    const carrier = carrierOf(this.#ports, this.#turn, enrollment.id)
    const ran = await play(story, state, event, this.#person, this.#now, carrier)
    const missed =
      event.type === 'said' && event.confirmed === null && ran.state.attempts > state.attempts
    const spoken = speak(story, ran, voice, missed)
    const moved = this.#moved(enrollment, playable.revision, ran, spoken, voice.lang)
    this.#change({
      enrollment: moved,
      counts: countSteps(state, ran.effects, this.#now),
      log: {
        event: event.type,
        moves: ran.effects.flatMap((effect) =>
          effect.type === 'moved' ? [{ from: effect.from, exit: effect.exit, to: effect.to }] : [],
        ),
        tried: ran.tried,
        judged: this.#judged,
      },
    })
    const left = ran.effects.some((effect) => effect.type === 'ended' && effect.why === 'user_exit')
    const { behaviour } = playable.revision
    const said = left
      ? [storyWord('left', voice.lang, { name: behaviour.displayName })]
      : spoken.said
    const turn = this.#present({ ...spoken, said }, { enrollment: moved, playable, ran, voice })
    if (moved.status === 'active') return turn
    return this.#goOn(turn, { ended: moved, playable, voice })
  }

  #moved(
    enrollment: Enrollment,
    { behaviour }: StorylineRevision,
    { state, effects }: Ran,
    { asked }: Spoken,
    lang: Language,
  ): Enrollment {
    const timer = effects.findLast((effect) => effect.type === 'timer')
    const waits = state.status === 'active' && timer?.node === state.node
    const stays =
      state.node === enrollment.node && state.enteredAt === enrollment.kept.state.enteredAt
    return {
      ...enrollment,
      status: state.status,
      pausedBy: null,
      node: state.node,
      sessionId: this.#ports.storylines.sessionId,
      dueAt: waits ? timer.dueAt : stays && state.status === 'active' ? enrollment.dueAt : null,
      holds: state.status === 'completed' && behaviour.onComplete === 'hold',
      enteredNodeAt: state.enteredAt,
      lastTurnAt: this.#now,
      updatedAt: this.#now,
      kept: { ...enrollment.kept, state, asked, lang },
    }
  }

  /** The words and the parts of a page that one storyline's turn comes to. */
  #present(
    { said, question, clarify, form, converse, digression, handedOff }: Spoken,
    {
      enrollment,
      playable: { story, revision },
      ran,
      voice,
    }: { enrollment: Enrollment; playable: Playable; ran: Ran; voice: Voice },
  ): StorylineTurn {
    const { lang } = voice
    const milestone = ran.effects.findLast(
      (effect) => effect.type === 'entered' && story.graph.nodes[effect.node]?.milestone === true,
    )
    if (milestone?.type === 'entered') enrollment.kept.milestone = milestone.node
    const shown = showStoryline(enrollment, story, revision.behaviour, lang)
    const open = { shown, clarify, form, finishReason: finishOf(handedOff, clarify, form) }
    if (converse !== null) {
      const node = story.graph.nodes[converse]
      const isNew = ran.effects.some(
        (effect) => effect.type === 'entered' && effect.node === converse,
      )
      return this.#told({
        ...open,
        opening: said.join('\n\n'),
        guide: {
          goal: node?.goal ?? '',
          instructions: node?.instructions ?? '',
          noted: notedLines(story, ran, node?.extract ?? [], lang),
        },
        bases: listed(node?.knowledge_bases),
        tools: listed(node?.tools),
        topic: isNew ? (node?.goal ?? null) : null,
      })
    }
    const steers = story.graph.settings?.digression === 'steer'
    if (digression && !steers)
      return this.#told({ ...open, opening: said.join('\n\n'), closing: question })
    const lines = [...(digression ? [storyWord('steer', lang)] : said), question].filter(
      (line) => line !== '',
    )
    const last =
      lines.length > 0 || ran.state.status === 'active' ? lines : [storyWord('done', lang)]
    return this.#told({ ...open, reply: last.join('\n\n') })
  }

  /** What follows an end: the next storyline, or the one that was interrupted. */
  async #goOn(
    turn: StorylineTurn,
    { ended, playable, voice }: { ended: Enrollment; playable: Playable; voice: Voice },
  ): Promise<StorylineTurn> {
    const { behaviour } = playable.revision
    const next =
      ended.status === 'completed' && behaviour.onComplete === 'next'
        ? this.#storylines.find(({ id }) => id === behaviour.nextStorylineId)
        : undefined
    if (next && this.#changes.size < MAX_CHAIN && !this.#isOpenNow(next.id)) {
      const followed = await this.#follow(next, ended)
      if (followed) return joined(turn, followed)
    }
    const paused = this.#open.find(
      ({ pausedBy, status }) => status === 'paused' && pausedBy === ended.id,
    )
    const resumed = paused && (await this.#ports.storylines.story(paused.revisionId))
    if (!paused || !resumed) return turn
    const again = askAgain(resumed.story, paused.kept.state, voice)
    const enrollment: Enrollment = {
      ...paused,
      status: 'active',
      pausedBy: null,
      lastTurnAt: this.#now,
      updatedAt: this.#now,
      kept: { ...paused.kept, asked: again.asked },
    }
    this.#change({ enrollment, counts: [], log: null })
    const { clarify, form, question } = again
    const shown = showStoryline(enrollment, resumed.story, resumed.revision.behaviour, voice.lang)
    const finishReason = finishOf(false, clarify, form)
    return joined(turn, this.#told({ reply: question, shown, clarify, form, finishReason }))
  }

  async #follow(live: LiveStoryline, from: Enrollment): Promise<StorylineTurn | null> {
    const playable = await this.#ports.storylines.story(live.revisionId)
    if (!playable) return null
    const begun = this.#newEnrollment(live, playable, 'active')
    const same = Object.entries(from.kept.state.profile).filter(([key, value]) =>
      playable.story.slots.get(key)?.accepts(value),
    )
    const profile = { ...begun.kept.state.profile, ...Object.fromEntries(same) }
    const kept = { ...begun.kept, lang: from.kept.lang, state: { ...begun.kept.state, profile } }
    return this.#play({ ...begun, kept }, playable, { type: 'start', said: null })
  }

  #isOpenNow(storylineId: string): boolean {
    const changed = [...this.#changes.values()].map(({ enrollment }) => enrollment)
    const known = this.#open.filter(({ id }) => !this.#changes.has(id))
    return [...changed, ...known].some((one) => one.storylineId === storylineId && isOpen(one))
  }

  /** A storyline that is over leaves its last node's instructions in force. */
  async #hold(enrollment: Enrollment): Promise<StorylineTurn | null> {
    const playable = await this.#ports.storylines.story(enrollment.revisionId)
    const node = playable?.story.graph.nodes[enrollment.node]
    if (!node?.instructions && !node?.goal) return null
    const guide = { goal: node.goal ?? '', instructions: node.instructions ?? '', noted: [] }
    return this.#told({ guide, bases: listed(node.knowledge_bases), tools: listed(node.tools) })
  }

  #change(change: EnrollmentChange): void {
    const { id } = change.enrollment
    const before = this.#changes.get(id)
    const counts = [...(before?.counts ?? []), ...change.counts]
    this.#changes.set(id, { ...change, counts, log: change.log ?? before?.log ?? null })
  }

  #told(said: Partial<Omit<StorylineTurn, 'changes'>>): StorylineTurn {
    const told = { ...NOTHING, ...said, changes: [...this.#changes.values()] }
    if (!told.clarify || this.#turn.request.channel !== TEXT_ONLY) return told
    const options = told.clarify.options.map(({ label }) => `- ${label}`).join('\n')
    if (told.reply !== null) return { ...told, reply: `${told.reply}\n\n${options}` }
    return { ...told, closing: `${told.closing}\n\n${options}` }
  }
}

/** Two storylines in one reply: what the second shows is what is open. */
function joined(first: StorylineTurn, second: StorylineTurn): StorylineTurn {
  const before = first.reply ?? first.opening
  const join = (after: string) => [before, after].filter((text) => text !== '').join('\n\n')
  return {
    ...second,
    changes: second.changes.length > first.changes.length ? second.changes : first.changes,
    reply: second.reply === null ? null : join(second.reply),
    opening: second.reply === null ? join(second.opening) : '',
    shown: second.shown ?? first.shown,
    finishReason: second.finishReason === 'stop' ? first.finishReason : second.finishReason,
  }
}

const listed = (names: readonly string[] | undefined): readonly string[] | null =>
  names === undefined || names.length === 0 ? null : names

const finishOf = (handedOff: boolean, clarify: Clarify | null, form: Form | null): FinishReason => {
  if (handedOff) return 'handoff'
  if (form) return 'form'
  return clarify ? 'clarify' : 'stop'
}

const intentOf = ({ name, description, start }: LiveStoryline): string => {
  const examples = start.examples
    .slice(0, 5)
    .map((example) => JSON.stringify(example))
    .join(', ')
  return `The user's last message asks for this: ${name}. ${description}${examples === '' ? '' : ` For example: ${examples}.`}`
}

const startOptions = (lang: Language) => [
  optionOf(storyWord('start', lang)),
  optionOf(storyWord('not_now', lang)),
]

/** What is noted and may stand in this node's prompt: sensitive values only where the node uses them. */
function notedLines(
  story: Story,
  { state }: Ran,
  used: readonly string[],
  lang: Language,
): string[] {
  return Object.entries(state.profile).flatMap(([key, value]) => {
    const slot = story.slots.get(key)
    if (!slot || (slot.sensitive && !used.includes(key))) return []
    return [`${slot.title}: ${shownValue(slot, value, lang)}`]
  })
}
