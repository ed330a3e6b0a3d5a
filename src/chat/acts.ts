import type { McpCallResult } from '../mcp/turn-servers'

/** A call of a tool that acts which was made, as the reply keeps it. */
export interface Act {
  /** Its idempotency id. */
  id: string
  /** `mcp:{server}/{tool}`, or the name of a tool of our own. */
  reference: string
  args: Readonly<Record<string, unknown>>
  /** Null where nobody knows what came of it. */
  result: McpCallResult | null
}

/**
 * So many characters are kept of what a call gave, and of what all gave: the reply's row holds 2 MB, sealed
 * (`OBJECT_LIMITS`). Of the calls beyond there is still the beginning.
 */
const MOST_CHARS = 16_000
const MOST_OF_ALL = 200_000
const LEAST_CHARS = 1_000

/**
 * The calls of a turn's tools that act, with those that earlier attempts at the same answer made: what was done is not done
 * again, and what may have been done goes by the same id.
 */
export class Acts {
  readonly #place: string
  readonly #readEarlier: () => Promise<Act[]>
  #earlier: readonly Act[] = []
  #recalled: Promise<void> | null = null
  /** By id. */
  readonly #made = new Map<string, Act>()
  /** Ids of earlier calls that this attempt has come to. */
  readonly #taken = new Set<string>()
  #calls = 0

  /** @param place the turn's id, or that of the first one at whose answer this is another attempt. */
  constructor(place: string, readEarlier: () => Promise<Act[]>) {
    this.#place = place
    this.#readEarlier = readEarlier
  }

  /** For a turn with remote tools that could be called: what was called before. */
  recall(): Promise<void> {
    this.#recalled ??= this.#readEarlier().then((acts) => {
      // Attempts at one answer may have made a call by one id: the last of them tells what stands.
      this.#earlier = [...new Map(acts.map((act) => [act.id, act])).values()]
    })
    return this.#recalled
  }

  /** What was made, in this attempt and before it. */
  get all(): Act[] {
    const known = new Map(this.#earlier.map((act) => [act.id, act]))
    return [...new Map([...known, ...this.#made]).values()]
  }

  /** The id of a call, which is that of an earlier one of the same; `isDone`: what came of that is known. */
  name(reference: string, args: Act['args']): { id: string; isDone: boolean } {
    const same = this.#earlier.filter((act) => isSame(act, { reference, args }))
    const act = same.find(({ id }) => !this.#taken.has(id)) ?? same[0]
    if (!act) return { id: this.#newId(), isDone: false }
    this.#taken.add(act.id)
    return { id: act.id, isDone: act.result?.ok === true }
  }

  /** Makes a call, or gives what came of it when it was made before. */
  async once(act: Omit<Act, 'result'>, call: () => Promise<McpCallResult>): Promise<McpCallResult> {
    const before = this.#earlier.find(({ id }) => id === act.id)
    if (before?.result?.ok && isSame(before, act)) return before.result
    this.#made.set(act.id, { ...act, result: null })
    const result = await call()
    const kept = this.all.reduce((sum, one) => sum + (one.result?.text.length ?? 0), 0)
    const most = Math.min(MOST_CHARS, Math.max(MOST_OF_ALL - kept, LEAST_CHARS))
    this.#made.set(act.id, { ...act, result: { ...result, text: result.text.slice(0, most) } })
    return result
  }

  /**
   * The same for a tool of our own: what was called before is read when one is.
   * @param call gives data, which is kept; it gets what an earlier attempt at the same answer did in other words, where
   * this stands in its place
   */
  async onceOwn<T extends { ok: boolean }>(
    said: Said,
    call: (former: T | null) => Promise<T>,
  ): Promise<T> {
    await this.recall()
    const former = this.#inOtherWords(said)
    if (former) this.#taken.add(former.id)
    const { id } = former ?? this.name(said.reference, said.args)
    const { text } = await this.once({ id, ...said }, async () => {
      const result = await call(former?.result?.ok ? JSON.parse(former.result.text) : null)
      return { ok: result.ok, text: JSON.stringify(result) }
    })
    return JSON.parse(text)
  }

  /** The first call of this tool by an earlier attempt at this answer that this one has not come to, where none was the same. */
  #inOtherWords(said: Said): Act | null {
    if (this.#earlier.some((act) => isSame(act, said))) return null
    const open = this.#earlier.filter(({ id }) => !this.#taken.has(id))
    const ofAnswer = (id: string) => id.startsWith(`${this.#place}:`)
    return (
      open.find((act) => act.reference === said.reference && act.result?.ok && ofAnswer(act.id)) ??
      null
    )
  }

  #newId(): string {
    for (;;) {
      const id = `${this.#place}:${++this.#calls}`
      if (!this.#earlier.some((act) => act.id === id)) return id
    }
  }
}

type Said = Pick<Act, 'reference' | 'args'>

const isSame = (one: Said, other: Said): boolean =>
  one.reference === other.reference && inOrder(one.args) === inOrder(other.args)

/** As JSON, whatever order the model wrote the names in. */
const inOrder = (args: Act['args']): string =>
  JSON.stringify(args, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
