import type {
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart
/** A stretch of what a model wrote: thought, or said. */
export interface Stretch {
  thought: boolean
  text: string
  /** All that was said before was thought: its end came without a beginning. */
  retracts?: true
}

/**
 * What the end of a thought means where none began. `drop`: nothing, for a model that writes no thoughts into its text.
 * `retract`: a beginning in the prompt, so that what was said is taken back. `await`: the same, and so likely that nothing
 * is said before it comes or the text ends.
 */
export type LoneEnd = 'drop' | 'retract' | 'await'

/**
 * The marks of the families: DeepSeek's, Qwen's and their kin's tags (Seed's and those of prompts that go round among
 * them), Kimi's, Mistral's, OpenThinker's, Cohere's, Gemma's, and the channels of the harmony format (openai/harmony), of
 * which only `final` is said.
 */
const MARKS = String.raw`<\/?(?:think(?:ing)?|thoughts?|reasoning|reflection|seed:think|scratchpad|antthinking)>|◁\/?think▷|\[\/?THINK\]|<\|(?:begin|end)_of_thought\|>|<\|(?:start|end)_thinking\|>|<\|channel>thought\b|<channel\|>|(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>[a-z]+<\|message\|>`
const MARK = new RegExp(MARKS, 'iu')
/** What changes how the text is read: marks, the runs of backticks around code, and line ends. */
const TURNING = new RegExp(`${MARKS}|\`+|\\n`, 'giu')
/** The start of a mark, or a run of backticks, which may go on in the next piece. */
const UNDECIDED =
  /(?:<(?:\/?[a-z:]{0,11}|channel\|?|\|(?!message\|>)(?:(?!<\|message\|>)[a-z_|<>]){0,60})|◁\/?(?:t(?:h(?:i(?:nk?)?)?)?)?|\[\/?[think]{0,5}|(?<!`)`+)$/iu
const MAY_TURN = /[<`◁[]/u
const FENCE_LENGTH = 3

/**
 * Tells thinking that a model writes into its text (`<think>…</think>` and the like) from what it says, however the text is
 * cut into pieces. In code the tags are text. A thought that is not closed lasts to the end.
 */
export class ThinkTags {
  #held = ''
  #thinking = false
  /** Length of the backtick run that will close the code, 0 outside. */
  #code = 0
  /** A fence lasts over lines, a span ends with its own at the latest. */
  #fence = false
  #lineStart = true
  #said = false
  #loneEnd: LoneEnd
  /** What is said or thought, as the end of a thought will tell. */
  #awaiting = ''
  /** Whether a thought ended that had not begun. */
  metLoneEnd = false

  constructor(loneEnd: LoneEnd = 'drop') {
    this.#loneEnd = loneEnd
  }

  push(piece: string): Stretch[] {
    const isPlain = this.#held === '' && !this.#thinking && this.#code === 0 && this.#said
    if (isPlain && !MAY_TURN.test(piece)) {
      this.#lineStart = piece.endsWith('\n') || (this.#lineStart && piece.trim() === '')
      return [{ thought: false, text: piece }]
    }
    const text = this.#held + piece
    const cut = UNDECIDED.exec(text)?.index ?? text.length
    this.#held = text.slice(cut)
    return this.#read(text.slice(0, cut))
  }

  end(): Stretch[] {
    const rest = this.#held
    this.#held = ''
    const found = this.#read(rest)
    this.#settle('drop', found)
    return found
  }

  #read(text: string): Stretch[] {
    const found: Stretch[] = []
    let from = 0
    const take = (to: number) => {
      const stretch = text.slice(from, to)
      from = to
      if (this.#thinking) found.push({ thought: true, text: stretch })
      else this.#say(stretch, found)
    }
    for (const { 0: mark, index } of text.matchAll(TURNING)) {
      const turn = turnOf(mark)
      if (this.#thinking) {
        if (turn !== 'end' && turn !== 'say') continue
        take(index)
        this.#thinking = false
        from = index + mark.length
      } else if (this.#code === 0 && turn !== null) {
        take(index)
        if (turn === 'end') this.#endLone(found)
        else if (turn === 'begin') this.#settle('drop', found)
        this.#thinking = turn === 'begin'
        from = index + mark.length
      } else {
        take(index)
        if (mark.startsWith('`')) this.#readTicks(mark.length)
        else if (mark === '\n' && !this.#fence) this.#code = 0
        take(index + mark.length)
      }
    }
    take(text.length)
    return found.filter((stretch) => stretch.text !== '' || stretch.retracts)
  }

  #endLone(found: Stretch[]): void {
    const awaited = this.#awaiting
    this.#awaiting = ''
    if (awaited !== '') found.push({ thought: true, text: awaited })
    else if (this.#loneEnd === 'retract' && this.#said)
      found.push({ thought: true, text: '', retracts: true })
    if (this.#loneEnd === 'drop') return
    this.metLoneEnd = true
    this.#said = false
    this.#loneEnd = 'retract'
  }

  /** What was awaited is said after all. */
  #settle(loneEnd: LoneEnd, found: Stretch[]): void {
    this.#loneEnd = loneEnd
    const awaited = this.#awaiting
    this.#awaiting = ''
    this.#say(awaited, found)
  }

  #readTicks(length: number): void {
    if (this.#code === 0) {
      this.#code = length
      this.#fence = length >= FENCE_LENGTH && this.#lineStart
    } else if (this.#fence ? length >= this.#code : length === this.#code) {
      this.#code = 0
      this.#fence = false
    }
  }

  /** White space between a thought and the answer belongs to neither. */
  #say(text: string, found: Stretch[]): void {
    const said = this.#said || this.#awaiting !== '' ? text : text.trimStart()
    if (said === '') return
    const line = said.slice(said.lastIndexOf('\n') + 1)
    this.#lineStart = line.trim() === '' && (line !== said || this.#lineStart)
    if (this.#loneEnd === 'await') {
      this.#awaiting += text
      return
    }
    this.#said = true
    found.push({ thought: false, text: said })
  }
}

/** What a mark does: begin or end a thought, or, where none began, nothing but say what comes (`say`). */
function turnOf(mark: string): 'begin' | 'end' | 'say' | null {
  if (/^<(?:\|end_(?:of_thought|thinking)|channel)\|>$/iu.test(mark)) return 'end'
  if (mark.includes('<|')) return /final<\|message\|>$/iu.test(mark) ? 'say' : 'begin'
  if (/^[`\n]/u.test(mark) || (mark.startsWith('[') && mark !== mark.toUpperCase())) return null
  return mark.charAt(1) === '/' ? 'end' : 'begin'
}

const RETRACTS = { parley: { retracts: true } }

/** Whether the beginning of a thought takes back all that the block of text has said so far. */
export const isRetraction = ({
  providerMetadata,
}: {
  providerMetadata?: SharedV4ProviderMetadata
}): boolean => providerMetadata?.parley?.retracts === true

/** The parts of one answer, with thinking in its text as parts of its own. */
export class ThinkParts {
  readonly #texts = new Map<string, ThinkTags>()
  readonly #open = new Set<string>()
  #loneEnd: LoneEnd
  /** Whether a thought ended in the text that had not begun; null without text, and where thoughts come beside it. */
  metLoneEnd: boolean | null = null

  constructor(loneEnd: LoneEnd = 'drop') {
    this.#loneEnd = loneEnd
  }

  push(part: Part): Part[] {
    if (part.type === 'reasoning-delta') this.#loneEnd = 'drop'
    if (part.type === 'text-delta')
      return this.#write(part.id, this.#tagsOf(part.id).push(part.delta))
    if (part.type !== 'text-end') return [part]
    const rest = this.#write(part.id, this.#tagsOf(part.id).end())
    this.#texts.delete(part.id)
    return [...rest, ...this.#close(part.id), part]
  }

  #tagsOf(id: string): ThinkTags {
    const known = this.#texts.get(id)
    if (known) return known
    const tags = new ThinkTags(this.#loneEnd)
    this.#texts.set(id, tags)
    return tags
  }

  #write(id: string, stretches: Stretch[]): Part[] {
    if (this.#texts.get(id)?.metLoneEnd) this.metLoneEnd = true
    else if (stretches.length > 0 && this.#loneEnd !== 'drop') this.metLoneEnd ??= false
    return stretches.flatMap(({ thought, text, retracts }): Part[] => {
      if (!thought) return [...this.#close(id), { type: 'text-delta', id, delta: text }]
      const thinking = `${id}-think`
      if (retracts)
        return [
          ...this.#close(id),
          { type: 'reasoning-start', id: thinking, providerMetadata: RETRACTS },
          { type: 'reasoning-end', id: thinking },
        ]
      const delta: Part = { type: 'reasoning-delta', id: thinking, delta: text }
      if (this.#open.has(id)) return [delta]
      this.#open.add(id)
      return [{ type: 'reasoning-start', id: thinking }, delta]
    })
  }

  #close(id: string): Part[] {
    return this.#open.delete(id) ? [{ type: 'reasoning-end', id: `${id}-think` }] : []
  }
}

/** The same of an answer that came whole. */
export function splitThinking(
  content: LanguageModelV4Content[],
  loneEnd: LoneEnd,
): LanguageModelV4Content[] {
  return content.flatMap((one): LanguageModelV4Content[] => {
    if (one.type !== 'text' || !MARK.test(one.text)) return [one]
    const tags = new ThinkTags(loneEnd === 'drop' ? 'drop' : 'await')
    const parts = [...tags.push(one.text), ...tags.end()]
    const join = (thought: boolean) =>
      parts.map((part) => (part.thought === thought ? part.text : '')).join('')
    return [
      { type: 'reasoning', text: join(true) },
      { ...one, text: join(false) },
    ]
  })
}
