import { estimateTokens, reportedTokens } from '../models/tokens'

/** What model calls used, in tokens. */
export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** Of input and output, what nobody reported. */
  estimatedTokens: number
}

export const NO_USAGE: ModelUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  estimatedTokens: 0,
}

/** What a provider says of one call; it may say nothing. */
export interface ReportedUsage {
  inputTokens: number | undefined
  outputTokens: number | undefined
  cachedTokens: number | undefined
}

/** Adds up what a turn's model calls used, call by call, and estimates what is not reported: a call may be cut off. */
export class SpentTokens {
  #total = NO_USAGE
  /** The call that runs: how large its prompt is, asked only when it must be known, and what it wrote so far. */
  #open: { promptTokens: () => number; heard: string[]; hasEnded: boolean } | null = null

  /** Whether a call is under way that has more to say. */
  get isOpen(): boolean {
    return this.#open !== null && !this.#open.hasEnded
  }

  /** All that the call says has come. */
  noteEnd(): void {
    if (this.#open) this.#open.hasEnded = true
  }

  begin(promptTokens: () => number): void {
    this.#open = { promptTokens, heard: [], hasEnded: false }
  }

  /** Text, thinking and tool arguments alike. */
  hear(text: string): void {
    if (text !== '') this.#open?.heard.push(text)
  }

  end(reported: ReportedUsage): void {
    this.#add(this.#open, reported)
    this.#open = null
  }

  /** @param sent whether a call that did not end is counted though nothing came of it: it was stopped, not refused. */
  total(sent = false): ModelUsage {
    const open = this.#open
    this.#open = null
    if (open && (sent || open.heard.length > 0))
      this.#add(open, { inputTokens: 0, outputTokens: 0, cachedTokens: 0 })
    return this.#total
  }

  /** No prompt is empty and no answer of some length has no tokens: a zero there says that nothing was counted. */
  #add(
    open: { promptTokens: () => number; heard: string[] } | null,
    reported: ReportedUsage,
  ): void {
    const inputTokens = reportedTokens(reported.inputTokens)
    const outputTokens = reportedTokens(reported.outputTokens)
    const cachedTokens = Math.min(reportedTokens(reported.cachedTokens), inputTokens)
    const input = inputTokens === 0 && open ? open.promptTokens() : 0
    const output = outputTokens === 0 && open ? estimateTokens(open.heard.join('')) : 0
    this.#total = {
      inputTokens: this.#total.inputTokens + inputTokens + input,
      outputTokens: this.#total.outputTokens + outputTokens + output,
      cachedTokens: this.#total.cachedTokens + cachedTokens,
      estimatedTokens: this.#total.estimatedTokens + input + output,
    }
  }
}
