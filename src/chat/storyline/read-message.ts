import type { Enrollment } from '../../storylines/enrollment'
import { fillableSlots, judgementsOf, type Said, type Story } from '../../storylines/machine'
import { readAnswer, readFreeText } from '../../storylines/read-answer'
import { askAgain } from '../../storylines/speak'
import { inEveryLanguage } from '../../storylines/words'
import { detectSmallTalk } from '../../text/small-talk'
import { provenOf } from './judge'
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
    const read = readAnswer(scene.message, questionOf(one.enrollment, playable.story))
    if (read.complete) return { one, complete: true }
  }
  return first ? { one: first, complete: false } : null
}

function questionOf({ kept: { state, asked } }: Enrollment, story: Story) {
  return {
    slots: story.slots,
    asked: asked.map((slot) => ({ slot })),
    fillable: fillableSlots(story, state.node),
    confirming: state.pending === 'confirm',
    leave: inEveryLanguage('leave'),
  }
}

/** What the message says: by rule, then by the one structured call where something is left to ask. */
export async function readMessage(
  scene: Scene,
  enrollment: Enrollment,
  story: Story,
): Promise<Said> {
  const { state } = enrollment.kept
  const question = questionOf(enrollment, story)
  const read = readAnswer(scene.message, question)
  const { request, lang } = scene.turn
  const said: Said = {
    text: scene.message,
    lang,
    images: request.images.length,
    audio: request.transcript !== null,
    values: read.values,
    judged: [],
    digression: false,
    leave: read.leave,
    confirmed: read.confirmed,
  }
  const talk = detectSmallTalk(scene.message) !== null
  if (read.leave) return said
  const statements =
    read.complete && question.asked.length > 0
      ? []
      : judgementsOf(story, state, said, scene.person, scene.now)
  const slots = read.complete || talk ? [] : openSlots(question.fillable, said, story)
  const node = story.graph.nodes[state.node]
  if (statements.length > 0 || slots.length > 0) {
    const asked = askAgain(story, state, scene.voice(enrollment.kept)).question
    const verdict = await scene.judge({ statements, slots, asked })
    if (verdict) {
      return {
        ...said,
        values: { ...verdict.values, ...said.values },
        judged: provenOf(verdict),
        digression: verdict.digression,
        leave: verdict.leave,
      }
    }
  }
  if (read.complete || node?.type !== 'collect') return said
  const values = talk ? {} : readFreeText(scene.message, question)
  const isRead = Object.keys(values).length > 0
  return {
    ...said,
    values: { ...values, ...said.values },
    digression: !isRead && (talk || asksBack(scene.message)),
  }
}

function openSlots(fillable: readonly string[], { values }: Said, story: Story) {
  return fillable.flatMap((key) => {
    const slot = story.slots.get(key)
    return slot && values[key] === undefined ? [slot] : []
  })
}

/** Whether the user asks something instead of answering. */
const asksBack = (message: string): boolean => /[?？؟]\s*$/u.test(message)
