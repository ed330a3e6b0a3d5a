import type { TurnPorts } from '../../../src/chat/run-turn'
import type { ShortUsage } from '../../../src/chat/short-call'
import { prepareVerification } from '../../../src/chat/verify-claims'
import type { createLog } from '../../../src/log'
import {
  type ResolvedModel,
  resolveChatModel,
  resolveGuardModel,
  type TenantModel,
} from '../../../src/models/chat-model'
import type { ModelEnv } from '../../../src/models/model-env'

/** What a turn's calls of the verifier used. */
export interface CheckingUse extends ShortUsage {
  model: string
  calls: number
}

/**
 * Asks a model about claims that the rules cannot decide. Without a model, quota or answer nothing is supported. What it
 * uses is reserved and booked with its turn.
 */
export class ClaimVerifier {
  readonly #model: () => ResolvedModel | null
  readonly #nonce: string
  readonly #reserve: (tokens: number) => Promise<boolean>
  readonly #log: ReturnType<typeof createLog>
  /** The calls that answered. */
  readonly #done: CheckingUse = {
    model: '',
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    estimatedTokens: 0,
  }
  /** Those under way, and what they may use. */
  readonly #open = { calls: 0, tokens: 0 }
  #closed = false

  /** @param reserve raises the turn's reservation: false when the ceiling forbids it */
  constructor(
    { env, own, nonce }: { env: ModelEnv; own: TenantModel | null; nonce: string },
    reserve: (tokens: number) => Promise<boolean>,
    log: ReturnType<typeof createLog>,
  ) {
    this.#model = () => guardModel(env, own)
    this.#nonce = nonce
    this.#reserve = reserve
    this.#log = log
  }

  /**
   * The turn is over: nobody is asked any more. A call that it does not wait for counts as all that it may use.
   * @returns null where nobody was asked
   */
  close(): CheckingUse | null {
    this.#closed = true
    const { model, calls, inputTokens, outputTokens, estimatedTokens } = this.#done
    const open = this.#open
    if (calls + open.calls === 0) return null
    return {
      model,
      calls: calls + open.calls,
      inputTokens: inputTokens + open.tokens,
      outputTokens,
      estimatedTokens: estimatedTokens + open.tokens,
    }
  }

  readonly verify: TurnPorts['verify'] = async (claims) => {
    try {
      const model = this.#model()
      if (model === null) return new Map()
      const { tokens, run } = prepareVerification(model, claims, this.#nonce)
      if (!(await this.#reserve(tokens))) throw new Error('The quota has no room for it')
      if (this.#closed) return new Map()
      return await this.#counted(model.name, tokens, run)
    } catch (error) {
      this.#log.error('verification_failed', error)
      return new Map()
    }
  }

  async #counted(
    model: string,
    tokens: number,
    run: ReturnType<typeof prepareVerification>['run'],
  ): ReturnType<TurnPorts['verify']> {
    const done = this.#done
    done.model = model
    this.#open.calls++
    this.#open.tokens += tokens
    try {
      const { verdicts, usage } = await run()
      done.calls++
      done.inputTokens += usage.inputTokens
      done.outputTokens += usage.outputTokens
      done.estimatedTokens += usage.estimatedTokens
      return verdicts
    } finally {
      this.#open.calls--
      this.#open.tokens -= tokens
    }
  }
}

/** `GUARD_MODEL`, else the platform's default, else the tenant's own; never the one that only repeats its sources. */
function guardModel(env: ModelEnv, own: TenantModel | null): ResolvedModel | null {
  const candidates = [
    () => resolveGuardModel(env),
    () => resolveChatModel(env, null),
    () => (own === null ? null : resolveChatModel(env, null, own)),
  ]
  for (const candidate of candidates) {
    const model = candidate()
    if (model !== null && model.info.reads === 'prompt') return model
  }
  return null
}
