import type { Language } from '../../config/names'
import type { Enrollment } from '../../storylines/enrollment'
import { type Judgement, newState } from '../../storylines/machine'
import { readAnswer } from '../../storylines/read-answer'
import type { LiveStoryline } from '../../storylines/records'
import { optionOf } from '../../storylines/speak'
import { isBarred, isMeant, isNear, OFFER_MS, startsByItself } from '../../storylines/starts'
import { inEveryLanguage, storyWord } from '../../storylines/words'
import { detectLanguage } from '../../text/detect-language'
import type { Playable } from './desk'
import { provenOf } from './judge'
import type { Running, Scene } from './scene'
import type { StorylineTurn } from './storyline-turn'

/** The offer that a message accepts or declines. */
export function answeredOffer(
  scene: Scene,
): { live: LiveStoryline; enrollment: Enrollment; accepted: boolean } | null {
  const offers = scene.open.flatMap((enrollment) => {
    const { status, dueAt, storylineId } = enrollment
    const live = scene.storylines.find(({ id }) => id === storylineId)
    return live && status === 'offered' && (dueAt === null || dueAt > scene.now)
      ? [{ enrollment, live }]
      : []
  })
  const { sessionId } = scene.ports.storylines
  const here = offers.find(({ enrollment }) => enrollment.sessionId === sessionId)
  const offer = here ?? offers[0]
  if (!offer) return null
  const words = { slots: new Map(), asked: [], fillable: [], leave: [] }
  const isOne = (labels: readonly string[]) =>
    readAnswer(scene.message, { ...words, confirming: false, leave: labels }).leave
  if (isOne(inEveryLanguage('start')))
    return scene.hasRoom(offer.live, scene.running) ? { ...offer, accepted: true } : null
  if (isOne(inEveryLanguage('not_now'))) return { ...offer, accepted: false }
  // A bare yes or no answers what was said last in this chat.
  if (!here || scene.running.length > 0) return null
  const { confirmed } = readAnswer(scene.message, { ...words, confirming: true })
  return confirmed === null ? null : { ...offer, accepted: confirmed }
}

/** What may start by itself at this message; nothing is read for an agent without such a storyline. */
export function startCandidates(
  scene: Scene,
  running: readonly Running[],
): readonly LiveStoryline[] {
  const free = scene.storylines.filter(
    (live) =>
      startsByItself(live) &&
      scene.isFree(live, running) &&
      (live.trigger !== 'intent' || isNear(scene.message, live)),
  )
  if (free.length === 0) return []
  const desk = scene.ports.storylines
  const place = free.some(({ trigger }) => trigger !== 'intent') ? desk.place() : null
  const triggered = free.filter(({ trigger }) => {
    if (trigger === 'first_contact') return place?.firstContact === true
    return trigger === 'intent' || place?.firstMessage === true
  })
  if (triggered.length === 0) return []
  const past = desk.past()
  return triggered.filter((live) => !isBarred(live, past, scene.now))
}

/** The first candidate whose condition holds and, where it goes by intent, that the message means. */
export async function wantedStart(
  scene: Scene,
  candidates: readonly LiveStoryline[],
): Promise<LiveStoryline | null> {
  const asked: LiveStoryline[] = []
  for (const live of candidates) {
    if (live.start.when !== null && !(await allowsStart(scene, live))) continue
    if (live.trigger !== 'intent' || isMeant(scene.message, live)) return live
    asked.push(live)
  }
  if (asked.length === 0) return null
  const statements = asked.map((live): Judgement => ({ id: live.id, statement: intentOf(live) }))
  const verdict = await scene.judge({ statements, slots: [], asked: '' })
  const meant = provenOf(verdict)
  return asked.find(({ id }) => meant.includes(id)) ?? null
}

async function allowsStart(scene: Scene, live: LiveStoryline): Promise<boolean> {
  const playable = await scene.ports.storylines.story(live.revisionId)
  const compiled = playable?.story.conditions.compileCondition(live.start.when ?? '')
  if (!compiled?.ok) return false
  const { images, transcript } = scene.turn.request
  const outcome = compiled.expression.run({
    profile: {},
    turn: {
      text: scene.message,
      lang: scene.turn.lang,
      images: images.length,
      audio: transcript !== null,
      count: 0,
    },
    node: { turns: 0, visits: 0, attempts: 0, seconds: 0 },
    user: scene.person,
    tool: { ok: false, status: 0, data: null },
    now: scene.now,
  })
  return outcome.ok && outcome.value === true
}

export async function offerStoryline(
  scene: Scene,
  live: LiveStoryline,
): Promise<StorylineTurn | null> {
  const playable = await scene.ports.storylines.story(live.revisionId)
  if (!playable) return null
  const enrollment = {
    ...newEnrollment(scene, live, playable, 'offered'),
    dueAt: scene.now + OFFER_MS,
  }
  scene.change({ enrollment, counts: [], log: null })
  const { lang } = scene.voice(null)
  const question = storyWord('offer', lang, { name: live.displayName })
  const clarify = { question, options: startOptions(lang), offer: live.displayName }
  return scene.told({ closing: question, clarify, finishReason: 'clarify' })
}

export async function declineOffer(
  scene: Scene,
  { enrollment }: { enrollment: Enrollment },
): Promise<StorylineTurn> {
  const ended = { ...enrollment, status: 'exited' as const, dueAt: null, updatedAt: scene.now }
  scene.change({ enrollment: ended, counts: [], log: null })
  return scene.told({ reply: storyWord('declined', scene.voice(enrollment.kept).lang) })
}

export function newEnrollment(
  scene: Scene,
  live: LiveStoryline,
  { story, revision }: Playable,
  status: 'offered' | 'active',
): Enrollment {
  const state = newState(story, scene.now)
  return {
    id: scene.ports.storylines.newId(),
    storylineId: live.id,
    revisionId: revision.id,
    agentId: scene.turn.request.agent.id,
    status,
    pausedBy: null,
    node: state.node,
    sessionId: scene.ports.storylines.sessionId,
    dueAt: null,
    holds: false,
    reports: 0,
    enteredNodeAt: scene.now,
    lastTurnAt: scene.now,
    createdAt: scene.now,
    updatedAt: scene.now,
    kept: { state, asked: [], lang: detectLanguage(scene.message), milestone: null },
  }
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
