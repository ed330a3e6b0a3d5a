import type {
  CallToAction,
  Closest,
  FormSpec,
  Frame,
  Option,
  Source,
  StorylineState,
  ToolState,
} from '../../../kit/turn/frames'

/** A question of the test chat with what came of it. */
export interface Exchange {
  key: string
  question: string
  /** waiting: nothing has come yet; live: it is being written; the rest are ends. */
  state: 'waiting' | 'live' | 'done' | 'failed'
  messageId: string | null
  text: string
  stage: string | null
  reasoning: string
  tools: readonly { id: string; name: string; state: ToolState }[]
  /** Null until it is known. */
  sources: readonly Source[] | null
  closest: readonly Closest[]
  suggestions: readonly Option[]
  options: readonly Option[]
  form: FormSpec | null
  call: CallToAction | null
  storyline: StorylineState | null
  finishReason: string | null
  /** What the server said of a turn that failed. */
  problem: string | null
}

export const newExchange = (
  key: string,
  question: string,
  storyline: StorylineState | null,
): Exchange => ({
  key,
  question,
  state: 'waiting',
  messageId: null,
  text: '',
  stage: null,
  reasoning: '',
  tools: [],
  sources: null,
  closest: [],
  suggestions: [],
  options: [],
  form: null,
  call: null,
  storyline,
  finishReason: null,
  problem: null,
})

/** What one frame makes of an exchange. */
export function applyFrame(said: Exchange, frame: Frame): Exchange {
  switch (frame.type) {
    case 'session':
      return { ...said, messageId: frame.messageId }
    case 'transcript':
      return said
    case 'status':
      return { ...said, stage: frame.stage }
    case 'reasoning':
      return { ...said, reasoning: said.reasoning + frame.text }
    case 'tool': {
      const { id, name, state } = frame
      return { ...said, tools: [...said.tools.filter((one) => one.id !== id), { id, name, state }] }
    }
    case 'token':
      return { ...said, state: 'live', text: said.text + frame.text }
    case 'replace':
      return { ...said, state: 'live', text: frame.text }
    case 'clarify':
      return {
        ...said,
        text: said.text === '' ? (frame.question ?? '') : said.text,
        options: frame.options,
      }
    case 'form':
      return { ...said, form: frame.form }
    case 'cta':
      return { ...said, call: frame.cta }
    case 'suggestions':
      return { ...said, suggestions: frame.suggestions }
    case 'storyline':
      return { ...said, storyline: frame.storyline }
    case 'sources':
      return { ...said, sources: frame.sources }
    case 'done': {
      const { done } = frame
      return {
        ...said,
        state: 'done',
        text: done.reply ?? said.text,
        sources: done.sources ?? said.sources,
        closest: done.closest,
        suggestions: done.suggestions.length > 0 ? done.suggestions : said.suggestions,
        finishReason: done.finishReason,
      }
    }
    case 'error':
      return { ...said, state: 'failed', problem: frame.detail }
  }
}

export const isRunning = (said: Exchange | undefined): boolean =>
  said?.state === 'waiting' || said?.state === 'live'

/** The lines that a form that was filled in is sent as. */
export function formLines(
  form: FormSpec,
  values: Readonly<Record<string, readonly string[]>>,
  [yes, no]: readonly [yes: string, no: string],
): string {
  return form.fields
    .flatMap(({ name, label, type }) => {
      const given = values[name] ?? []
      if (type === 'boolean') return [`${label}: ${given.length > 0 ? yes : no}`]
      const value = given.join(', ').trim()
      return value === '' ? [] : [`${label}: ${value}`]
    })
    .join('\n')
}
