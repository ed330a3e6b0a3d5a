import { loadRules } from '../../lazy'
import type { KeptState } from '../../storylines/enrollment'
import { type Judgement, judgementsOf } from '../../storylines/machine'
import {
  type Question,
  type ReadAnswer,
  readAnswer,
  readFreeText,
} from '../../storylines/read-answer'
import { readNumber } from '../../storylines/read-number'
import { askAgain, type Voice } from '../../storylines/speak'
import { fillableSlots, type Person, type Said, type Story } from '../../storylines/story-state'
import { inEveryLanguage } from '../../storylines/words'
import { NO_TENANT_FACTS } from '../../tenants/tenant-facts'
import { detectSmallTalk } from '../../text/small-talk'
import { unframed } from '../../text/unframed'
import { homeZone, momentIn } from '../moment'
import { type JudgeQuestion, provenOf, type Verdict } from './judge'

/** A message as it comes in. */
export type Message = Pick<Said, 'text' | 'lang' | 'images' | 'audio'>

/** Who speaks, how they are spoken to, and who judges what rules cannot read. */
export interface Hearing {
  person: Person
  now: number
  voice: Voice
  /** The one structured call; null where nobody judges. */
  judge(question: Pick<JudgeQuestion, 'statements' | 'slots' | 'asked'>): Promise<Verdict | null>
}

type Place = Pick<KeptState, 'state' | 'asked'>

export function questionOf({ state, asked }: Place, story: Story) {
  return {
    slots: story.slots,
    asked: asked.map((slot) => ({ slot })),
    fillable: fillableSlots(story, state.node),
    confirming: state.pending === 'confirm',
    leave: inEveryLanguage('leave'),
  }
}

/** What a message says to a storyline: by rule, then by the one structured call where something is left to ask. */
export async function readSaid(
  story: Story,
  place: Place,
  message: Message,
  { person, now, voice, judge }: Hearing,
): Promise<Said> {
  const { state } = place
  const question = questionOf(place, story)
  const byRule = readAnswer(message.text, question)
  const read = byRule.complete
    ? byRule
    : await readMoment(byRule, message.text, question, { person, now })
  const said: Said = {
    ...message,
    values: read.values,
    judged: [],
    digression: false,
    leave: read.leave,
    confirmed: read.confirmed,
  }
  const talk = detectSmallTalk(message.text) !== null
  if (read.leave) return said
  const slots = read.complete || talk ? [] : openSlots(question.fillable, said, story)
  const open = slots.map(({ key }) => key)
  const isAnswer = read.complete && question.asked.length > 0
  const node = story.graph.nodes[state.node]
  // Of an answer that rules could read only what it leads to is open.
  const leadsOn = (judgement: Judgement) =>
    node?.exits?.some(({ id, on }) => id === judgement.id && on === 'done')
  const statements = judgementsOf(story, state, said, person, now, open).filter(
    (judgement) => !isAnswer || leadsOn(judgement),
  )
  if (statements.length > 0 || slots.length > 0) {
    const asked = askAgain(story, state, voice).question
    const verdict = await judge({ statements, slots, asked })
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
  const values = talk ? {} : readFreeText(message.text, question)
  const isRead = Object.keys(values).length > 0
  return {
    ...said,
    values: { ...values, ...said.values },
    digression: !isRead && (talk || asksBack(message.text)),
  }
}

/** What a rule read, else a day or an hour in words where one is asked for. */
async function readMoment(
  read: ReadAnswer,
  text: string,
  question: Question,
  { person, now }: Pick<Hearing, 'person' | 'now'>,
): Promise<ReadAnswer> {
  const slot = question.asked.length === 1 && question.slots.get(question.asked[0]?.slot ?? '')
  if (!slot || (slot.format !== 'date' && slot.format !== 'time')) return read
  const { date } = momentIn(now, homeZone(person, null, NO_TENANT_FACTS))
  const value = (await loadRules()).readSpoken(unframed(text), slot.format, date, readNumber)
  return slot.accepts(value) ? { ...read, values: { [slot.key]: value }, complete: true } : read
}

function openSlots(fillable: readonly string[], { values }: Said, story: Story) {
  return fillable.flatMap((key) => {
    const slot = story.slots.get(key)
    return slot && values[key] === undefined ? [slot] : []
  })
}

/** Whether the user asks something instead of answering. */
const asksBack = (message: string): boolean => /[?？؟]\s*$/u.test(message)
