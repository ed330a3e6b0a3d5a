import type { Language } from '../../config/names'
import { afterRun } from '../../storylines/after-run'
import { countSteps } from '../../storylines/count-steps'
import type { Enrollment } from '../../storylines/enrollment'
import { handoffOf } from '../../storylines/handoff-of'
import { fitting } from '../../storylines/migrate'
import { play } from '../../storylines/play'
import type { LiveStoryline } from '../../storylines/records'
import { showStoryline } from '../../storylines/show'
import { askAgain, speak, type Voice } from '../../storylines/speak'
import { pickedFromMenu } from '../../storylines/starts'
import { missingSlots, type Ran, type StoryEvent } from '../../storylines/story-state'
import { storyWord } from '../../storylines/words'
import { carrierOf } from './carry'
import { newEnrollment } from './consider-starts'
import type { Playable, StepLog } from './desk'
import { presentRun } from './present-run'
import { readMessage } from './read-message'
import type { Scene } from './scene'
import { finishOf, joined, type StorylineTurn } from './storyline-turn'

/** How many storylines one turn may run through, each the next of the one before. */
const MAX_CHAIN = 4

/** Starts a storyline: with the message that led to it, so that nothing it says is asked again. */
export async function beginStoryline(
  scene: Scene,
  {
    live,
    enrollment,
  }: {
    live: LiveStoryline
    enrollment: Enrollment | null
  },
): Promise<StorylineTurn | null> {
  const playable = await scene.ports.storylines.story(enrollment?.revisionId ?? live.revisionId)
  if (!playable) return null
  const begun = enrollment
    ? { ...enrollment, status: 'active' as const, dueAt: null }
    : newEnrollment(scene, live, playable, 'active')
  const [interrupted] = scene.running
  if (interrupted && live.concurrency === 'interrupt') {
    const paused = { ...interrupted.enrollment, status: 'paused' as const, pausedBy: begun.id }
    scene.change({ enrollment: { ...paused, updatedAt: scene.now }, counts: [], log: null })
  }
  const isChoice = enrollment !== null || pickedFromMenu(scene.message, [live]) !== null
  const said = isChoice ? null : await readMessage(scene, begun, playable.story)
  return playOn(scene, begun, playable, { type: 'start', said })
}

export async function playOn(
  scene: Scene,
  enrollment: Enrollment,
  playable: Playable,
  event: StoryEvent,
): Promise<StorylineTurn> {
  const { story } = playable
  const { state } = enrollment.kept
  const { request, lookups } = scene.turn
  const lookUp = async () => ({ ...request, lookups })
  // One that has only begun gets another id when its turn is repeated.
  const known = enrollment.reports === 0 ? enrollment.storylineId : enrollment.id
  const carrier = carrierOf(scene.ports, lookUp, known, playable.revision)
  const ran = await play(story, state, event, scene.person, scene.now, carrier)
  const missed =
    event.type === 'said' && event.confirmed === null && ran.state.attempts > state.attempts
  const plain = scene.voice(enrollment.kept)
  const voice = await scene.restating(plain, story, textsOf(ran.effects, plain))
  const spoken = speak(story, ran, voice, missed)
  const after = afterRun(enrollment, playable, ran, spoken, scene.now)
  const moved = afterTurn(scene, enrollment, after, voice.lang)
  scene.change({
    enrollment: moved,
    counts: countSteps(state, ran.effects, scene.now),
    log: stepLog(event, ran, scene.judged),
  })
  scene.turn.handoff = handoffOf(story, ran) ?? scene.turn.handoff
  const left = ran.effects.some((effect) => effect.type === 'ended' && effect.why === 'user_exit')
  const { behaviour } = playable.revision
  const said = left ? [storyWord('left', voice.lang, { name: behaviour.displayName })] : spoken.said
  const turn = presentRun(scene, { ...spoken, said }, { enrollment: moved, playable, ran, voice })
  if (moved.status === 'active') return turn
  return goOn(scene, turn, { ended: moved, playable, voice })
}

/** What is said word for word; of a form, nothing is. */
const textsOf = (effects: Ran['effects'], { forms }: Voice) =>
  effects.flatMap((effect) => {
    if (effect.type === 'say') return [effect.text]
    return effect.type === 'ask' && !(effect.form && forms) ? [effect.slots[0]?.ask] : []
  })

export const stepLog = (
  { type }: StoryEvent,
  { effects, tried }: Ran,
  judged: StepLog['judged'],
): StepLog => ({
  event: type,
  moves: effects.flatMap((effect) =>
    effect.type === 'moved' ? [{ from: effect.from, exit: effect.exit, to: effect.to }] : [],
  ),
  tried,
  judged,
})

/** Where the turn left the enrollment. */
function afterTurn(
  scene: Scene,
  before: Enrollment,
  after: Enrollment,
  lang: Language,
): Enrollment {
  const { now } = scene
  const stays = after.node === before.node && after.enteredNodeAt === before.kept.state.enteredAt
  return {
    ...after,
    pausedBy: null,
    sessionId: scene.ports.storylines.sessionId,
    dueAt: stays && after.status === 'active' ? (after.dueAt ?? before.dueAt) : after.dueAt,
    lastTurnAt: now,
    kept: { ...after.kept, lang },
  }
}

/** What follows an end: the next storyline, or the one that was interrupted. */
async function goOn(
  scene: Scene,
  turn: StorylineTurn,
  { ended, playable, voice }: { ended: Enrollment; playable: Playable; voice: Voice },
): Promise<StorylineTurn> {
  const { behaviour } = playable.revision
  const next =
    ended.status === 'completed' && behaviour.onComplete === 'next'
      ? scene.storylines.find(({ id }) => id === behaviour.nextStorylineId)
      : undefined
  if (next && scene.changed < MAX_CHAIN && !scene.isOpenNow(next.id)) {
    const followed = await followNext(scene, next, ended)
    if (followed) return joined(turn, followed)
  }
  const paused = scene.restedBy(ended.id)
  const resumed = paused && (await scene.ports.storylines.story(paused.revisionId))
  if (!paused || !resumed) return turn
  const { story } = resumed
  const { state } = paused.kept
  const node = story.graph.nodes[state.node]
  const [open] = node ? missingSlots(node, state.profile) : []
  const again = askAgain(story, state, await scene.restating(voice, story, [open?.ask]))
  const enrollment: Enrollment = {
    ...paused,
    status: 'active',
    pausedBy: null,
    lastTurnAt: scene.now,
    updatedAt: scene.now,
    kept: { ...paused.kept, asked: again.asked },
  }
  scene.change({ enrollment, counts: [], log: null })
  const { clarify, form, question } = again
  const shown = showStoryline(enrollment, story, resumed.revision.behaviour, voice.lang)
  const finishReason = finishOf(false, clarify, form)
  return joined(turn, scene.told({ reply: question, shown, clarify, form, finishReason }))
}

async function followNext(
  scene: Scene,
  live: LiveStoryline,
  from: Enrollment,
): Promise<StorylineTurn | null> {
  const playable = await scene.ports.storylines.story(live.revisionId)
  if (!playable) return null
  const begun = newEnrollment(scene, live, playable, 'active')
  const rested = scene.restedBy(from.id)
  // What the ended one had interrupted now waits for this one.
  if (rested)
    scene.change({
      enrollment: { ...rested, pausedBy: begun.id, updatedAt: scene.now },
      counts: [],
      log: null,
    })
  const same = fitting(from.kept.state.profile, playable.story).profile
  const profile = { ...begun.kept.state.profile, ...same }
  const kept = { ...begun.kept, lang: from.kept.lang, state: { ...begun.kept.state, profile } }
  return playOn(scene, { ...begun, kept }, playable, { type: 'start', said: null })
}
