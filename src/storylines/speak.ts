import type { Language } from '../config/names'
import type { AskedSlot, StoryText } from './graph'
import type { Profile, Slot, SlotValue } from './slots'
import type { Effect, Ran, Story } from './story-state'
import { storyWord } from './words'

export interface ShownOption {
  label: string
  /** What is sent when it is picked. */
  value: string
}

/** A question whose answers are a few. */
export interface Clarify {
  question: string
  options: readonly ShownOption[]
}

export const FIELD_TYPES = [
  'text',
  'textarea',
  'number',
  'boolean',
  'select',
  'multiselect',
  'date',
  'email',
  'phone',
] as const

export interface FormField {
  name: string
  /** The answer is sent as lines `label: value`. */
  label: string
  type: (typeof FIELD_TYPES)[number]
  required: boolean
  options?: readonly ShownOption[]
}

export interface Form {
  title: string
  fields: readonly FormField[]
}

/** What the effects of one turn come to, in words. */
export interface Spoken {
  /** What the nodes said, and what is said of them, in order. */
  said: readonly string[]
  /** What is open for the user to answer; '' for nothing. */
  question: string
  clarify: Clarify | null
  form: Form | null
  /** The slots that are shown. */
  asked: readonly string[]
  /** The node whose goal the agent talks about. */
  converse: string | null
  /** The message is about something else: it is answered first. */
  digression: boolean
  handedOff: boolean
}

export interface Voice {
  lang: Language
  /** Whether whoever listens can show a form; else its fields are asked for one by one. */
  forms: boolean
  /** Texts that are written in another language, in the one that is spoken. */
  restated?: ReadonlyMap<string, string>
}

/**
 * @param ran what the machine did; the words are those of its story, exact where it has the language.
 * @param missed no answer could be read in the message: that is said before the question comes again.
 */
export function speak(
  story: Story,
  ran: Pick<Ran, 'effects' | 'state'>,
  voice: Voice,
  missed = false,
): Spoken {
  const speaker = new Speaker(story, ran.state.profile, voice)
  for (const effect of ran.effects) speaker.take(effect)
  const { spoken } = speaker
  if (!missed || spoken.digression || spoken.said.length > 0) return spoken
  return { ...spoken, said: [storyWord('again', voice.lang)] }
}

/** What an open question was, said again. */
export function askAgain(story: Story, state: Ran['state'], voice: Voice): Spoken {
  const node = story.graph.nodes[state.node]
  const speaker = new Speaker(story, state.profile, voice)
  if (node?.type === 'collect') {
    const slots = (node.slots ?? []).filter(({ slot }) => state.profile[slot] === undefined)
    const confirming = state.pending === 'confirm'
    if (confirming)
      speaker.take({
        type: 'confirm',
        node: state.node,
        slots: (node.slots ?? []).map(({ slot }) => slot),
      })
    else {
      const form = node.form === true
      const missing = slots.filter(({ required }) => required !== false)
      speaker.take({
        type: 'ask',
        node: state.node,
        slots: form ? slots : missing.slice(0, 1),
        form,
        again: false,
      })
    }
  }
  return speaker.spoken
}

class Speaker {
  #spoken: Spoken = {
    said: [],
    question: '',
    clarify: null,
    form: null,
    asked: [],
    converse: null,
    digression: false,
    handedOff: false,
  }

  constructor(
    readonly story: Story,
    readonly profile: Profile,
    readonly voice: Voice,
  ) {}

  get spoken(): Spoken {
    return this.#spoken
  }

  take(effect: Effect): void {
    switch (effect.type) {
      case 'say':
        this.#say(this.#textOf(effect.text, effect.profile))
        break
      case 'ask':
        this.#ask(effect.slots, effect.form)
        break
      case 'confirm':
        this.#confirm(effect.slots)
        break
      case 'converse':
        this.#set({ converse: effect.node })
        break
      case 'digression':
        this.#set({ digression: true })
        break
      case 'leave_refused':
        this.#say(storyWord('stay', this.voice.lang))
        break
      case 'handoff':
        this.#set({ handedOff: true })
        break
      case 'moved':
        // What was open before the move is open no longer.
        this.#set({ question: '', clarify: null, form: null, asked: [], converse: null })
        break
    }
  }

  #set(change: Partial<Spoken>): void {
    this.#spoken = { ...this.#spoken, ...change }
  }

  #say(text: string): void {
    if (text.trim() !== '') this.#set({ said: [...this.#spoken.said, text] })
  }

  #ask(slots: readonly AskedSlot[], form: boolean): void {
    const { lang, forms } = this.voice
    const shown = slots.flatMap((asked) => {
      const slot = this.story.slots.get(asked.slot)
      return slot ? [{ asked, slot }] : []
    })
    if (form && forms && shown.length > 1) {
      const question = storyWord('ask_form', lang)
      const fields = shown.map(({ asked, slot }) => fieldOf(slot, asked, lang))
      const asked = shown.map(({ slot }) => slot.key)
      this.#set({ question, form: { title: question, fields }, clarify: null, asked })
      return
    }
    const first = shown.find(({ asked }) => asked.required !== false) ?? shown[0]
    if (!first) return
    const { asked, slot } = first
    const question =
      asked.ask === undefined
        ? storyWord('ask', lang, { title: slot.title })
        : this.#textOf(asked.ask)
    const options = optionsOf(slot, lang)
    this.#set({
      question,
      clarify: options.length > 0 ? { question, options } : null,
      form: null,
      asked: [slot.key],
    })
  }

  #confirm(keys: readonly string[]): void {
    const { lang } = this.voice
    const lines = keys.flatMap((key) => {
      const slot = this.story.slots.get(key)
      const value = this.profile[key]
      return slot && value !== undefined
        ? [`- ${slot.title}: ${shownValue(slot, value, lang)}`]
        : []
    })
    const question = [...lines, '', storyWord('confirm', lang)].join('\n').trim()
    this.#set({ question, clarify: { question, options: yesOrNo(lang) }, form: null, asked: [] })
  }

  #textOf(text: StoryText, profile = this.profile): string {
    const { lang, restated } = this.voice
    const words = typeof text === 'string' ? (restated?.get(text) ?? text) : inLanguage(text, lang)
    return words.replaceAll(/\{\{\s*profile\.([a-z][a-z0-9_]*)\s*\}\}/gu, (_, key: string) => {
      const slot = this.story.slots.get(key)
      const value = profile[key]
      return slot && value !== undefined ? shownValue(slot, value, lang) : ''
    })
  }
}

/** The wording for a language, else for one that is near, else in English, else the first. */
export function inLanguage(text: Readonly<Record<string, string>>, lang: Language): string {
  const [base = ''] = lang.split('-')
  const near = Object.keys(text).find((key) => key.split('-')[0] === base)
  return text[lang] ?? text[base] ?? text[near ?? ''] ?? text.en ?? Object.values(text)[0] ?? ''
}

/** A value as people read it. */
export function shownValue(slot: Slot, value: SlotValue, lang: Language): string {
  const option = slot.options.find((one) => one.value === value)
  if (option) return option.title
  if (typeof value === 'boolean') return storyWord(value ? 'yes' : 'no', lang)
  return Array.isArray(value) ? value.join(', ') : String(value)
}

function optionsOf(slot: Slot, lang: Language): readonly ShownOption[] {
  if (slot.options.length === 0 && slot.type === 'boolean') return yesOrNo(lang)
  return slot.options.map(({ title }) => optionOf(title))
}

/** People send what they read. */
export const optionOf = (label: string): ShownOption => ({ label, value: label })

const yesOrNo = (lang: Language): readonly ShownOption[] => [
  optionOf(storyWord('yes', lang)),
  optionOf(storyWord('no', lang)),
]

function fieldOf(slot: Slot, { required }: AskedSlot, lang: Language): FormField {
  const options = optionsOf(slot, lang)
  return {
    name: slot.key,
    label: slot.title,
    type: typeOf(slot),
    required: required !== false,
    ...(options.length > 0 ? { options } : {}),
  }
}

function typeOf(slot: Slot): FormField['type'] {
  if (slot.type === 'boolean') return 'boolean'
  if (slot.options.length > 0) return 'select'
  if (slot.type === 'integer' || slot.type === 'number') return 'number'
  if (slot.format === 'email') return 'email'
  if (slot.format === 'tel') return 'phone'
  return slot.format === 'date' ? 'date' : 'text'
}
