import type { FinishReason, Language } from '../../config/names'
import type { HandoffRequest } from '../../handoffs/handoff'
import type { Passage, SearchResult } from '../../knowledge/types'
import type { ResolvedModel } from '../../models/chat-model'
import type { PassageReadings } from '../../text/passage-reading'
import type { UserFacts } from '../../users/user-facts'
import type { Asked, PendingCall, Reading } from '../asking/asked'
import type { CallToAction } from '../cta'
import type { TurnEvent } from '../events'
import { KnownMessage } from '../known-message'
import type { RemoteTool } from '../remote-tools'
import type { Research } from '../research'
import type { TurnInput, TurnOutcome } from '../run-turn'
import type { StopSequences } from '../stop-sequences'
import type { StorylineTurn } from '../storyline/storyline-turn'

/** A turn as its steps see it: what was asked, and what they have learned so far for those behind them. */
export interface Turn extends TurnInput {
  readonly model: ResolvedModel
  /** The language to reply in: that of the message or its dialogue, else the caller's. */
  lang: Language
  /** The model searches by itself when it needs to. */
  readonly onDemand: boolean
  /** Where the caller wants the reply to end; null for nowhere in particular. */
  readonly stop: StopSequences | null
  /** Said before the first words of the reply, whoever writes them. */
  preface: string
  smallTalk: boolean
  /** What is searched and judged: the message, or what it asks in its dialogue. */
  question: string
  /** What a follow-up leans on; '' for a message that stands alone. */
  context: string
  /** What the model is shown, numbered; a search of its own adds to it. */
  passages: Passage[]
  /** What each base gave, with its weights. */
  results: SearchResult[]
  /** A base could not be asked. */
  searchFailed: boolean
  /** What was read of passages: gate and check read the same ones. */
  readonly readings: PassageReadings
  lookups: Lookups
  /** Resolved once the model begins to answer. */
  readonly begun: PromiseWithResolvers<void>
  /** Of a large question, what was found for each of its parts; null of any other. */
  research: Research | null
  /** What the user may ask next, which a model thinks of beside the answer; never rejects. */
  suggested: Promise<string[]>
  /** What the user may do next (a call to action), likewise; null where none is wanted. */
  call: Promise<CallToAction | null> | null
  /** Until when the finished answer waits for these two; null while it waits for none. */
  waitsUntil: number | null
  /** What a storyline makes of the message; null where none has anything to say. */
  storyline: StorylineTurn | null
  /** Key of the storyline that the agent's tool starts once the reply is said. */
  start: string | null
  /** A person is asked for; it is stored with the reply. */
  handoff: HandoffRequest | null
  /** What the user filled into a form, a line each: evidence for what the reply says of it. '' for nothing. */
  filledIn: string
  /** The reply before this message asked which of several things is meant. */
  wasAskedBack: boolean
  /** The meaning that the user picked. */
  picked: Reading | null
  /** A call that the user has confirmed: it is made before the model goes on. */
  confirmed: PendingCall | null
  /** What the turn asks of the user; null where it asks nothing. A tool that sets it ends what the model says. */
  asked: Asked | null
}

/** What is fetched beside the search; the answer waits for it. None of them rejects. */
export interface Lookups {
  memories: Promise<string[]>
  profile: Promise<UserFacts>
  remote: Promise<RemoteTool[]>
}

/** A reply of the platform's own that ends the turn: the model is not called. */
export interface Exit {
  reply: string
  finishReason: FinishReason
}

/** Gives its result at once, later, or after events for the listeners. */
type Told<T> = T | Promise<T> | AsyncGenerator<TurnEvent, T>

/** What happens before the answer, in the order of the list: learns something of the turn, or ends it. */
export type Step = (turn: Turn) => Told<Exit | null>

/** What comes behind a reply, an exit's too: gives the outcome with what it adds. */
export type Addition = (turn: Turn, outcome: TurnOutcome) => Told<TurnOutcome>

/** All of a turn. */
export interface TurnSteps {
  before: readonly Step[]
  answer(turn: Turn): AsyncGenerator<TurnEvent, TurnOutcome>
  /** The answer to a question that was looked up part by part, where a step does that. */
  report?(turn: Turn, research: Research): AsyncGenerator<TurnEvent, TurnOutcome>
  after: readonly Addition[]
}

/** What the turn's message is, as it was read for the admission; what a step put in its place is read anew. */
export const messageOf = (
  { known, history, request }: TurnInput,
  message = request.message,
): KnownMessage =>
  known?.message === message ? known : new KnownMessage(message, history, request.lang)

/** Whether a step has something for the listeners before its result. Most have not, and cost no generator. */
export const hasEvents = <T extends object | null>(
  told: Told<T>,
): told is AsyncGenerator<TurnEvent, T> => told !== null && Symbol.asyncIterator in told
