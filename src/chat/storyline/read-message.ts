import type { Enrollment } from '../../storylines/enrollment'
import { readAnswer } from '../../storylines/read-answer'
import type { Said, Story } from '../../storylines/story-state'
import { questionOf, readSaid } from './read-said'
import type { Running, Scene } from './scene'

/** Whom a message answers: of several the one that it fits, else the one that spoke last. */
export async function whoIsAnswered(
  scene: Scene,
  running: readonly Running[],
): Promise<{ one: Running; complete: boolean } | null> {
  const [first] = running
  for (const one of running) {
    const playable = await scene.ports.storylines.story(one.enrollment.revisionId)
    if (!playable) continue
    const read = readAnswer(scene.message, questionOf(one.enrollment.kept, playable.story))
    if (read.complete) return { one, complete: true }
  }
  return first ? { one: first, complete: false } : null
}

/** What the message of a scene says to one of its storylines. */
export function readMessage(scene: Scene, { kept }: Enrollment, story: Story): Promise<Said> {
  const { request, lang } = scene.turn
  const message = {
    text: scene.message,
    lang,
    images: request.images.length,
    audio: request.transcript !== null,
  }
  return readSaid(story, kept, message, {
    person: scene.person,
    now: scene.now,
    voice: scene.voice(kept),
    judge: (question) => scene.judge(question),
  })
}
