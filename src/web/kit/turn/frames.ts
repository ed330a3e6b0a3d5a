/** Frames of POST /v1/chat/stream, read leniently: what is malformed or unknown is ignored, never an exception. */
export type Frame =
  | { type: 'session'; sessionId: string; messageId: string }
  | { type: 'transcript'; text: string }
  | { type: 'status'; stage: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool'; id: string; name: string; state: ToolState }
  | { type: 'token'; text: string }
  | { type: 'replace'; text: string }
  | { type: 'clarify'; question: string | null; options: Option[]; offer: string | null }
  | { type: 'form'; form: FormSpec }
  | { type: 'cta'; cta: CallToAction }
  | { type: 'suggestions'; suggestions: Option[] }
  | { type: 'storyline'; storyline: StorylineState | null }
  | { type: 'sources'; sources: Source[] }
  | { type: 'done'; done: Done }
  | { type: 'error'; code: string; detail: string; retryable: boolean }

export type ToolState = 'running' | 'done' | 'failed'

export interface Option {
  label: string
  value: string
}

export interface CallToAction {
  title: string
  text: string | null
  url: string | null
}

export interface StorylineState {
  id: string
  /** Null where the user does not see which one it is. */
  name: string | null
  /** Title of the part that was reached last. */
  part: string | null
  step: number | null
  steps: number | null
  /** What is sent to leave it; it is written on the button. */
  leave: string | null
  noted: { label: string; value: string }[]
}

/** One cited source. Everything but the document is missing when the agent keeps its sources private. */
export interface Source {
  documentId: string
  n: number | null
  title: string | null
  url: string | null
  page: number | null
  /** This and `quotes` are missing in what a browser kept of an earlier page. */
  heading?: string | null
  quote: string | null
  /** Places of the passage, each with the sentences of the reply that rest on it. */
  quotes?: readonly { sentences: readonly Span[] }[]
}

/** UTF-16 offsets in the reply. */
export interface Span {
  start: number
  end: number
}

/** A document that came near to a question which found no answer. */
export interface Closest {
  documentId: string
  title: string
  heading: string | null
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
export type FieldType = (typeof FIELD_TYPES)[number]

export interface FormField {
  name: string
  label: string
  type: FieldType
  required: boolean
  help: string | null
  options: Option[]
}

export interface FormSpec {
  title: string | null
  fields: FormField[]
}

export interface Done {
  sessionId: string | null
  messageId: string | null
  reply: string | null
  sources: Source[] | null
  suggestions: Option[]
  closest: Closest[]
  finishReason: string
}

const MAX_OPTIONS = 8
const MAX_FIELDS = 8
const MAX_NOTED = 60
const MAX_SUGGESTIONS = 3

type Json = Record<string, unknown>

/** Reads one server-sent event. Null when the event is unknown or lacks what it needs. */
export function parseFrame(event: string | undefined, data: string): Frame | null {
  const json = parseObject(data)
  if (event === undefined || json === null) return null
  switch (event) {
    case 'session': {
      const sessionId = text(json.session_id)
      const messageId = text(json.message_id)
      return sessionId !== null && messageId !== null
        ? { type: 'session', sessionId, messageId }
        : null
    }
    case 'transcript':
    case 'reasoning':
    case 'token':
    case 'replace': {
      const value = text(json.text)
      return value === null ? null : { type: event, text: value }
    }
    case 'status': {
      const stage = text(json.stage)
      return stage === null ? null : { type: 'status', stage }
    }
    case 'tool': {
      const name = text(json.name)
      if (name === null) return null
      return { type: 'tool', id: text(json.id) ?? name, name, state: toolState(json.state) }
    }
    case 'clarify': {
      const options = optionList(json.options)
      return { type: 'clarify', question: text(json.question), options, offer: text(json.offer) }
    }
    case 'form': {
      const form = formSpec(json)
      return form === null ? null : { type: 'form', form }
    }
    case 'cta': {
      const title = text(json.title) ?? text(json.label) ?? text(json.text)
      if (title === null) return null
      const body = text(json.text)
      const cta = { title, text: body === title ? null : body, url: text(json.url) }
      return { type: 'cta', cta }
    }
    case 'suggestions':
      return { type: 'suggestions', suggestions: followUps(json) }
    case 'storyline':
      return { type: 'storyline', storyline: storylineState(json) }
    case 'sources': {
      const sources = sourceList(json.sources)
      return sources === null ? null : { type: 'sources', sources }
    }
    case 'done':
      return { type: 'done', done: done(json) }
    case 'error':
      return {
        type: 'error',
        code: text(json.code) ?? 'error',
        detail: text(json.detail) ?? '',
        retryable: json.retryable !== false,
      }
    default:
      return null
  }
}

/** Sources as the API lists them; null when it is not a list. */
export function sourceList(value: unknown): Source[] | null {
  if (!Array.isArray(value)) return null
  return objects(value).flatMap((s) => {
    const documentId = text(s.document_id)
    if (documentId === null) return []
    return [
      {
        documentId,
        n: whole(s.n),
        title: text(s.title),
        url: text(s.url),
        page: whole(s.page),
        heading: text(s.heading),
        quote: text(s.quote),
        quotes: objects(s.quotes).map((place) => ({
          sentences: objects(place.sentences).flatMap(span),
        })),
      },
    ]
  })
}

function span(json: Json): Span[] {
  const [start, end] = [whole(json.start), whole(json.end)]
  return start === null || end === null ? [] : [{ start, end }]
}

function closest(json: Json): Closest[] {
  const [documentId, title] = [text(json.document_id), text(json.title)]
  return documentId === null || title === null
    ? []
    : [{ documentId, title, heading: text(json.heading) }]
}

function done(json: Json): Done {
  return {
    sessionId: text(json.session_id),
    messageId: text(json.message_id),
    reply: text(json.reply),
    sources: sourceList(json.sources),
    suggestions: followUps(json),
    closest: objects(json.closest).flatMap(closest),
    finishReason: text(json.finish_reason) ?? 'stop',
  }
}

function formSpec(json: Json): FormSpec | null {
  const fields = objects(json.fields)
    .slice(0, MAX_FIELDS)
    .flatMap((f): FormField[] => {
      const label = text(f.label) ?? text(f.title) ?? text(f.name)
      if (label === null) return []
      const type = FIELD_TYPES.find((known) => known === f.type) ?? 'text'
      return [
        {
          name: text(f.name) ?? label,
          label,
          type,
          required: f.required === true,
          help: text(f.help) ?? text(f.description),
          options: optionList(f.options, 50),
        },
      ]
    })
  return fields.length === 0 ? null : { title: text(json.title), fields }
}

function storylineState(json: Json): StorylineState | null {
  const id = text(json.id)
  // One that is over or rests has no bar.
  if (id === null || (json.status ?? 'active') !== 'active') return null
  const progress = isObject(json.progress) ? json.progress : {}
  return {
    id,
    name: text(json.name),
    part: text(json.node),
    step: whole(progress.done),
    steps: whole(progress.total),
    leave: text(json.leave),
    noted: objects(json.noted)
      .slice(0, MAX_NOTED)
      .flatMap(({ label, value }) => {
        const [name, words] = [text(label), text(value)]
        return name === null || words === null ? [] : [{ label: name, value: words }]
      }),
  }
}

function optionList(value: unknown, max = MAX_OPTIONS): Option[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, max).flatMap((item): Option[] => {
    if (typeof item === 'string') return item === '' ? [] : [{ label: item, value: item }]
    if (!isObject(item)) return []
    const label = text(item.label) ?? text(item.title) ?? text(item.value)
    return label === null ? [] : [{ label, value: text(item.value) ?? label }]
  })
}

/** Skills to go on with, then what may be asked next. */
const followUps = ({ chips, suggestions }: Json): Option[] => [
  ...optionList(chips, MAX_SUGGESTIONS),
  ...optionList(suggestions, MAX_SUGGESTIONS),
]

function toolState(value: unknown): ToolState {
  if (value === 'failed' || value === 'error') return 'failed'
  return value === 'done' || value === 'result' || value === 'complete' ? 'done' : 'running'
}

function parseObject(data: string): Json | null {
  try {
    const value: unknown = JSON.parse(data)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function whole(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null
}
