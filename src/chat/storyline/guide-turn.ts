import type { Enrollment } from '../../storylines/enrollment'
import { pickedFromMenu } from '../../storylines/starts'
import type { Turn } from '../steps/step'
import {
  answeredOffer,
  declineOffer,
  offerStoryline,
  startCandidates,
  wantedStart,
} from './consider-starts'
import { beginStoryline, playOn } from './lead-on'
import { readMessage, whoIsAnswered } from './read-message'
import { type GuidePorts, type Running, Scene } from './scene'
import { reachOf, type StorylineTurn } from './storyline-turn'

/**
 * Reads the message for the storyline that the user is in, or starts one. Null where none has anything to say: the agent
 * answers as ever.
 */
export async function guideTurn(ports: GuidePorts, turn: Turn): Promise<StorylineTurn | null> {
  const open = await ports.storylines.open()
  return guide(new Scene(ports, turn, open))
}

/** What the agent's own tool starts, where it may start now; else null. */
export async function startByAgent(
  ports: GuidePorts,
  turn: Turn,
  key: string,
): Promise<StorylineTurn | null> {
  const scene = new Scene(ports, turn, [])
  const live = scene.storylines.find((one) => one.key === key && one.allowAgentEnroll)
  if (!live) return null
  await scene.enter()
  if (!scene.isFree(live, scene.running)) return null
  await scene.meet()
  return live.entry === 'offer'
    ? offerStoryline(scene, live)
    : beginStoryline(scene, { live, enrollment: null })
}

async function guide(scene: Scene): Promise<StorylineTurn | null> {
  const { message, storylines, running, open } = scene
  const offer = answeredOffer(scene)
  const picked = offer ? null : pickedFromMenu(message, storylines)
  const [focus] = running
  const candidates = offer || picked ? [] : startCandidates(scene, running)
  const holding = open.find(({ status }) => status === 'completed')
  if (!offer && !picked && !focus && candidates.length === 0 && !holding) return null
  if (!scene.entered) {
    await scene.enter()
    return guide(scene)
  }
  await scene.meet()
  if (offer) return offer.accepted ? beginStoryline(scene, offer) : declineOffer(scene, offer)
  if (picked && scene.isFree(picked, running))
    return beginStoryline(scene, { live: picked, enrollment: null })
  const answered = focus ? await whoIsAnswered(scene, running) : null
  if (candidates.length > 0 && !answered?.complete) {
    const wanted = await wantedStart(scene, candidates)
    if (wanted)
      return wanted.entry === 'offer'
        ? offerStoryline(scene, wanted)
        : beginStoryline(scene, { live: wanted, enrollment: null })
  }
  if (answered) return hearMessage(scene, answered.one)
  return holding ? holdOn(scene, holding) : null
}

async function hearMessage(scene: Scene, { enrollment }: Running): Promise<StorylineTurn | null> {
  const playable = await scene.ports.storylines.story(enrollment.revisionId)
  if (!playable) {
    const failed = { ...enrollment, status: 'failed' as const, updatedAt: scene.now, dueAt: null }
    const counts = [{ node: enrollment.node, kind: 'failed' as const, name: '', n: 1 }]
    scene.change({ enrollment: failed, counts, log: null })
    return scene.told({})
  }
  const said = await readMessage(scene, enrollment, playable.story)
  return playOn(scene, enrollment, playable, { type: 'said', ...said })
}

/** A storyline that is over leaves its last node's instructions in force. */
async function holdOn(scene: Scene, enrollment: Enrollment): Promise<StorylineTurn | null> {
  const playable = await scene.ports.storylines.story(enrollment.revisionId)
  if (!playable) return null
  const node = playable.story.graph.nodes[enrollment.node]
  if (!node?.instructions && !node?.goal) return null
  const guide = { goal: node.goal ?? '', instructions: node.instructions ?? '', noted: [] }
  return scene.told({ guide, ...reachOf(node, playable.revision, scene.servers) })
}
