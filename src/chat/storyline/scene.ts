import type { AgentFacts } from '../../agents/resolve-agent'
import type { Language } from '../../config/names'
import type { Enrollment, KeptState } from '../../storylines/enrollment'
import { isOpen } from '../../storylines/enrollment'
import type { StoryText } from '../../storylines/graph'
import type { LiveStoryline } from '../../storylines/records'
import type { Voice } from '../../storylines/speak'
import { mayStart } from '../../storylines/starts'
import type { Person, Story } from '../../storylines/story-state'
import { detectLanguage, sameLanguage } from '../../text/detect-language'
import { languageOfAnswer } from '../../text/language-of-answer'
import { sanitize } from '../reply/spoken-reply'
import type { Turn } from '../steps/step'
import { listOptions, showsForms } from '../what-is-seen'
import type { CarrierPorts } from './carry'
import type { EnrollmentChange, StorylineDesk } from './desk'
import type { Judged, JudgeQuestion, Verdict } from './judge'
import { NOTHING, type StorylineTurn } from './storyline-turn'

export type GuidePorts = Omit<CarrierPorts, 'storylines'> & {
  storylines: StorylineDesk
  /** The one structured call of the turn; null where there is no quota, no answer, or no model. Never rejects. */
  judge(question: JudgeQuestion): Promise<Verdict | null>
  /** Texts of a storyline in a language, as far as the turn's model says them in it. Never rejects. */
  restate(
    story: Story,
    texts: readonly string[],
    lang: Language,
  ): Promise<ReadonlyMap<string, string>>
}

export interface Running {
  enrollment: Enrollment
  live: LiveStoryline
}

/** One message among the storylines of its user: what it finds, and what it has changed so far. */
export class Scene {
  readonly ports: GuidePorts
  readonly turn: Turn
  readonly storylines: readonly LiveStoryline[]
  readonly #changes = new Map<string, EnrollmentChange>()
  #open: readonly Enrollment[]
  #entered: boolean
  #person: Person = { registered: false, lang: 'en', timezone: '', city: '' }
  #judged: readonly Judged[] = []

  constructor(ports: GuidePorts, turn: Turn, open: readonly Enrollment[]) {
    this.ports = ports
    this.turn = turn
    this.storylines = turn.request.agent.storylines ?? []
    this.#open = open
    this.#entered = open.length > 0
  }

  get message(): string {
    return this.turn.request.message
  }

  get servers(): AgentFacts['mcp'] {
    return this.turn.request.agent.mcp
  }

  get now(): number {
    return this.turn.request.now
  }

  get open(): readonly Enrollment[] {
    return this.#open
  }

  /** Whether nobody else changes them now. */
  get entered(): boolean {
    return this.#entered
  }

  get person(): Person {
    return this.#person
  }

  get judged(): readonly Judged[] {
    return this.#judged
  }

  /** How many enrollments the turn has changed. */
  get changed(): number {
    return this.#changes.size
  }

  /** Enrollments under way, of storylines that are published: others rest until theirs is again. */
  get running(): readonly Running[] {
    return this.#open.flatMap((enrollment) => {
      const live = this.storylines.find(({ id }) => id === enrollment.storylineId)
      return live && enrollment.status === 'active' ? [{ enrollment, live }] : []
    })
  }

  async enter(): Promise<void> {
    this.#entered = true
    this.#open = await this.ports.storylines.enter()
  }

  async meet(): Promise<void> {
    const { registered, timezone, city } = await this.turn.lookups.profile
    this.#person = {
      registered,
      lang: this.turn.lang,
      timezone: timezone ?? '',
      city: city ?? '',
    }
  }

  voice(kept: Pick<KeptState, 'lang' | 'asked'> | null): Voice {
    const tell = kept && kept.asked.length > 0 ? languageOfAnswer : detectLanguage
    const lang = tell(this.message) ?? kept?.lang ?? this.turn.lang
    return { lang, forms: showsForms(this.turn.request.channel) }
  }

  /** A voice that says one text in the language of the conversation; texts by language are exact already. */
  async restating(
    voice: Voice,
    story: Story,
    texts: readonly (StoryText | undefined)[],
  ): Promise<Voice> {
    const foreign = texts.filter((text) => typeof text === 'string' && isForeign(text, voice.lang))
    if (foreign.length === 0 || this.turn.model.info.reads !== 'prompt') return voice
    const restated = await this.ports.restate(story, foreign as string[], voice.lang)
    return { ...voice, restated }
  }

  isFree(live: LiveStoryline, running: readonly Running[]): boolean {
    const isIn = this.#open.some((one) => one.storylineId === live.id && isOpen(one))
    return !isIn && this.hasRoom(live, running)
  }

  /** Whether it may begin beside those that run. */
  hasRoom(live: LiveStoryline, running: readonly Running[]): boolean {
    const paused = this.#open.filter(({ pausedBy }) => pausedBy !== null).length
    const beside = running.map((one) => one.live)
    return mayStart(live, beside, paused)
  }

  /** What an enrollment keeps waiting, with what this turn has changed. */
  restedBy(id: string): Enrollment | undefined {
    return this.#open
      .map((one) => this.#changes.get(one.id)?.enrollment ?? one)
      .find(({ pausedBy, status }) => status === 'paused' && pausedBy === id)
  }

  /** As `isFree` has it open, with what this turn has changed. */
  isOpenNow(storylineId: string): boolean {
    const changed = [...this.#changes.values()].map(({ enrollment }) => enrollment)
    const known = this.#open.filter(({ id }) => !this.#changes.has(id))
    return [...changed, ...known].some((one) => one.storylineId === storylineId && isOpen(one))
  }

  async judge(
    question: Pick<JudgeQuestion, 'statements' | 'slots' | 'asked'>,
  ): Promise<Verdict | null> {
    if (this.turn.model.info.reads !== 'prompt') return null
    const { history } = this.turn
    const verdict = await this.ports.judge({
      ...question,
      message: this.message,
      history,
      nonce: this.ports.nonce,
    })
    this.#judged = verdict?.judged ?? []
    return verdict
  }

  change(change: EnrollmentChange): void {
    const { id } = change.enrollment
    const before = this.#changes.get(id)
    const counts = [...(before?.counts ?? []), ...change.counts]
    this.#changes.set(id, { ...change, counts, log: change.log ?? before?.log ?? null })
  }

  told(said: Partial<Omit<StorylineTurn, 'changes'>>): StorylineTurn {
    const { reply, opening, closing, ...rest } = { ...NOTHING, ...said }
    // What was noted came from the user, or from a tool's peer.
    const safe = (text: string) => sanitize(this.turn.request, text)
    const told = {
      ...rest,
      reply: reply === null ? null : safe(reply),
      opening: safe(opening),
      closing: safe(closing),
      changes: [...this.#changes.values()],
    }
    const options = listOptions(this.turn.request.channel, told.clarify)
    if (options === '') return told
    if (told.reply !== null) return { ...told, reply: told.reply + options }
    return { ...told, closing: told.closing + options }
  }
}

function isForeign(text: string, lang: Language): boolean {
  const written = detectLanguage(text)
  return written !== null && !sameLanguage(written, lang)
}
