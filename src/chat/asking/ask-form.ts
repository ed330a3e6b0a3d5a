import type { Language } from '../../config/names'
import { type Form, type FormField, optionOf, type ShownOption } from '../../storylines/speak'
import { storyWord } from '../../storylines/words'
import { answerField, answerForm, type FormReader, openField } from './answer-form'
import type { Asked, PendingForm } from './asked'
import { askingWord } from './words'

/**
 * A form that a model asks for, as it is put to the user.
 * @param whole whether whoever listens sees a form; else its fields are asked for one by one.
 */
export function askForm(
  form: Form,
  { question, lang, now }: { question: string; lang: Language; now: number },
  whole: boolean,
): Asked {
  const titled = { ...form, title: form.title === '' ? storyWord('ask_form', lang) : form.title }
  const pending: PendingForm = {
    kind: 'form',
    form: titled,
    answers: {},
    question,
    lang,
    misses: 0,
    at: now,
  }
  if (whole) return show(pending, titled, titled.title)
  const asked = askNext(pending)
  return { ...asked, question: `${titled.title}\n\n${asked.question}` }
}

/** What a message answers to a form that waits; null where the form is left. */
export function takeForm(
  message: string,
  pending: PendingForm,
  reader: FormReader,
  now: number,
  whole: boolean,
): { lines: string } | { asked: Asked } | null {
  const answer = whole
    ? answerForm(message, pending, reader)
    : answerField(message, pending, reader, now)
  if (answer.state === 'left') return null
  if (answer.state === 'done') return { lines: answer.lines }
  const { lang, form } = answer.pending
  if (whole) {
    const names = answer.unread.map(({ label }) => label).join(', ')
    const rest = { ...form, fields: answer.unread }
    return { asked: show(answer.pending, rest, askingWord('check', lang, names)) }
  }
  const asked = askNext(answer.pending)
  if (answer.unread.length === 0) return { asked }
  const question = `${storyWord('again', lang)}\n\n${asked.question}`
  return { asked: { ...asked, question } }
}

const show = (pending: PendingForm, form: Form, question: string): Asked => ({
  question,
  clarify: null,
  form,
  finishReason: 'form',
  pending,
})

/** The next field as a question, with what can be picked. */
function askNext(pending: PendingForm): Asked {
  const { lang } = pending
  const field = openField(pending)
  const label = field?.label ?? ''
  const question = /[?？؟]\s*$/u.test(label) ? label : storyWord('ask', lang, { title: label })
  const options = field ? optionsOf(field, lang) : []
  return {
    question,
    clarify: options.length > 0 ? { question, options } : null,
    form: null,
    finishReason: 'form',
    pending,
  }
}

function optionsOf({ type, options = [], required }: FormField, lang: Language): ShownOption[] {
  const yesOrNo = (['yes', 'no'] as const).map((word) => optionOf(storyWord(word, lang)))
  const own = type === 'boolean' ? yesOrNo : options
  return required ? [...own] : [...own, optionOf(askingWord('skip', lang))]
}
