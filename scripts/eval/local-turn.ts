/** The product's own reader, base, turn and offline answerer in plain Node: a question costs milliseconds, no server is needed. */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { scheduler } from 'node:timers/promises'
import { KnowledgeBase } from '../../durable-objects/knowledge-base/knowledge-base'
import { turnSteps } from '../../durable-objects/user-space/turns/turn-steps'
import { withDefaults } from '../../src/agents/agent-config'
import type { AgentFacts } from '../../src/agents/resolve-agent'
import { Acts } from '../../src/chat/acts'
import { answer } from '../../src/chat/answer'
import { runTurn, type TurnOutcome, type TurnPorts } from '../../src/chat/run-turn'
import { SpentTokens } from '../../src/chat/spent-tokens'
import type { CtaPorts } from '../../src/chat/steps/call-to-action'
import type { ResearchPorts } from '../../src/chat/steps/deep-research'
import type { Step } from '../../src/chat/steps/step'
import type { StorylineDesk } from '../../src/chat/storyline/desk'
import type { GuidePorts } from '../../src/chat/storyline/scene'
import type { SuggestPorts } from '../../src/chat/suggest'
import type { TurnRequest } from '../../src/chat/turn'
import { KNOWLEDGE } from '../../src/config/limits'
import type { Language } from '../../src/config/names'
import { NO_HANDOFF } from '../../src/handoffs/handoff'
import { chunkDocument } from '../../src/knowledge/chunk-document'
import { readDocument } from '../../src/knowledge/read/read-document'
import type { IdfTable, Passage } from '../../src/knowledge/types'
import { type ResolvedModel, resolveChatModel } from '../../src/models/chat-model'
import { DOCUMENT_KINDS, type DocumentKind } from '../../src/platform/uploads/file-kinds'
import { NO_TENANT_FACTS } from '../../src/tenants/tenant-facts'
import { searchTitle } from '../../src/text/search-title'
import { NO_FACTS } from '../../src/users/user-facts'
import { NodeStorage } from '../../test/support/node-object'

// The runtime has one of its own, Node only as a module.
Object.assign(globalThis, { scheduler })

const TENANT = 'eval-tenant'
const BASE = { id: 'eval-base', name: 'eval', instructions: '' }
const STAGED_AT_ONCE = 32
const NO_STORYLINES: StorylineDesk = {
  sessionId: '',
  open: async () => [],
  enter: async () => [],
  past: () => [],
  place: () => ({ firstMessage: false, firstContact: false }),
  story: async () => null,
  bases: async () => [],
  callOnce: (_enrollment, _step, _words, call) => call(),
  newId: () => '',
}

export interface LocalBase {
  search: TurnPorts['search']
  add(path: string, name?: string): Promise<number>
  addText(name: string, text: string, kind: DocumentKind): Promise<number>
  lastDocument(): string
  /** What a base does for itself when nothing was written for some seconds. */
  settle(): Promise<void>
  /** Stores vectors of all passages, made of their texts as ingestion does. */
  embedAll(embedder: string, embed: (texts: string[]) => Promise<number[][]>): Promise<void>
  readonly sql: SqlStorage
}

export async function openLocalBase(): Promise<LocalBase> {
  let ready: Promise<unknown> = Promise.resolve()
  const storage = new NodeStorage().open(() => undefined)
  const ctx = {
    storage,
    blockConcurrencyWhile: (work: () => Promise<unknown>) => {
      ready = work()
      return ready
    },
    id: { toString: () => BASE.id },
  }
  const object = new KnowledgeBase(ctx as never, {} as never)
  await ready
  let count = 0
  const addText = async (name: string, bytes: Uint8Array, kind: DocumentKind) => {
    const read = await readDocument(bytes, kind, () => import('../../src/knowledge/read/pdf.lazy'))
    if (!read.ok) throw new Error(`${name}: ${read.reason}`)
    const chunks = chunkDocument(read.document)
    const title = read.document.title ?? basename(name).replace(/\.[a-z0-9]{1,5}$/i, '')
    const input = {
      tenantId: TENANT,
      baseId: BASE.id,
      documentId: `doc-${++count}`,
      version: 'v1',
      edition: 0,
      title,
    }
    for (let from = 0; from < chunks.length; from += STAGED_AT_ONCE) {
      const staged = await object.stageChunks({
        ...input,
        title: searchTitle(title, name),
        from,
        chunks: chunks.slice(from, from + STAGED_AT_ONCE),
      })
      if (!staged.ok) throw new Error(`${name}: ${JSON.stringify(staged)}`)
    }
    const done = await object.commitDocument({ ...input, name, url: null, total: chunks.length })
    if (!done.ok) throw new Error(`${name}: ${JSON.stringify(done)}`)
    return chunks.length
  }
  const embedAll: LocalBase['embedAll'] = async (embedder, embed) => {
    for (let n = 1; n <= count; n++) {
      const document = { tenantId: TENANT, documentId: `doc-${n}` }
      const { chunks } = await object.listChunks({ ...document, limit: 10_000 })
      const vectors = await embed(chunks.map(({ text }) => text))
      const items = chunks.map((chunk, at) => ({ n: chunk.n, vector: vectors[at] ?? [] }))
      await object.putVectors({ ...document, version: 'v1', embedder, items })
    }
  }
  return {
    lastDocument: () => `doc-${count}`,
    settle: async () => {
      const { now } = Date
      Date.now = () => now() + KNOWLEDGE.upkeepDelayMs
      await object.alarm().finally(() => {
        Date.now = now
      })
    },
    embedAll,
    sql: storage.sql,
    search: async (_base, query, k) => {
      const { idf, ...found } = await object.search({ tenantId: TENANT, query, k })
      return idf && { ...found, idf }
    },
    add: (path, name = path) => {
      const kind = path.split('.').at(-1)?.toLowerCase() as DocumentKind
      if (!DOCUMENT_KINDS.includes(kind)) throw new Error(`${path}: no such kind`)
      return addText(name, new Uint8Array(readFileSync(path)), kind)
    },
    addText: (name, text, kind) => addText(name, new TextEncoder().encode(text), kind),
  }
}

/** Where a turn that says nothing ended: nothing was found, the gate was shut, no sentence answered, or none stood. */
export type Stage = 'search' | 'gate' | 'answerer' | 'check'

export interface Answered extends TurnOutcome {
  passages: Passage[]
  /** Of a reply that is none; null of an answer. */
  stage: Stage | null
}

interface Asked {
  lang?: Language
  config?: object
}

/** What a grounded agent of a tenant of its own is asked. */
function requestOf(message: string, { lang = 'en', config = {} }: Asked): TurnRequest {
  const agent: AgentFacts = {
    id: 'agent',
    name: 'Help desk',
    config: withDefaults({ grounding_required: true, ...config } as never),
    published: true,
    skills: [],
    bases: [BASE],
    mcp: [],
  }
  return {
    caller: {
      address: { tenantId: TENANT, userId: '', spaceId: '' },
      tag: 0,
      wrappedTenantKey: '',
      tokenVersion: null,
    },
    keyId: null,
    ceiling: null,
    userCeiling: null,
    rates: { user: { limit: 0, windowS: 0 }, tenant: { limit: 0, windowS: 0 } },
    agent,
    tenant: NO_TENANT_FACTS,
    agentNamed: true,
    sessionId: null,
    sessionAlias: null,
    replaces: null,
    channel: 'api',
    message,
    transcript: null,
    images: [],
    k: null,
    lang,
    place: null,
    origin: 'https://parley.example',
    seesSources: true,
    idempotency: null,
    history: null,
    maxOutputTokens: null,
    now: Date.UTC(2026, 10, 22),
  }
}

type LocalPorts = TurnPorts & GuidePorts & SuggestPorts & CtaPorts & ResearchPorts

/** A turn's ports with nothing behind them but a model. */
const portsOf = (model: ResolvedModel): LocalPorts => ({
  model,
  resolveModel: () => model,
  search: async () => null,
  spent: new SpentTokens(),
  profile: async () => NO_FACTS,
  verify: async () => new Map(),
  rewrite: async () => null,
  choose: async () => null,
  acts: new Acts('', async () => []),
  recall: async () => [],
  fetchWeather: async () => ({}),
  reserveStep: async () => true,
  schedule: async () => ({ ok: false, problem: 'not available' }),
  discoverRemote: async () => null,
  callRemote: async () => ({ ok: false, text: 'not available' }),
  onInjection: () => undefined,
  handoff: NO_HANDOFF,
  pending: async () => null,
  signal: new AbortController().signal,
  nonce: 'abcd1234',
  judge: async () => null,
  restate: async () => new Map(),
  suggest: async () => [],
  askResearch: async () => null,
  mayCall: () => false,
  callToAction: async () => null,
  storylines: NO_STORYLINES,
})

/** One grounded turn of the offline model. */
export async function askLocally(
  base: LocalBase,
  message: string,
  options: Asked & { history?: { role: 'user' | 'assistant'; content: string }[] } = {},
): Promise<Answered> {
  const model = resolveChatModel({} as never, 'offline')
  if (model === null) throw new Error('no offline model')
  let passages: Passage[] = []
  const search: LocalPorts['search'] = async (id, query, k) => {
    const found = await base.search(id, query, k)
    passages = (found?.hits ?? []).map((hit, at) => ({ ...hit, base: BASE.name, n: at + 1 }))
    return found
  }
  const events = runTurn(turnSteps({ ...portsOf(model), search }), model, {
    request: requestOf(message, options),
    history: options.history ?? [],
    summary: '',
  })
  for (;;) {
    const step = await events.next()
    if (step.done) return { ...step.value, passages, stage: stageOf(step.value, passages) }
  }
}

/** What was found for a question, and what a model says to it. */
export interface Script {
  passages: readonly Passage[]
  idf: IdfTable
  question: string
  lang: Language
  model: ResolvedModel
  verify: LocalPorts['verify']
}

/** @returns what the user sees in the end: a grounded turn from the model's first word on. */
export async function replyLocally(script: Script): Promise<TurnOutcome & { shown: string }> {
  const { model, verify, question, lang, passages, idf } = script
  const find: Step = async (turn) => {
    turn.passages = [...passages]
    turn.results = [{ hits: [], idf, coverage: 1, cosine: null, embedder: null }]
    return null
  }
  const steps = { before: [find], answer: answer({ ...portsOf(model), verify }), after: [] }
  const request = requestOf(question, { lang, config: { tools: ['search_knowledge'] } })
  const events = runTurn(steps, model, { request, history: [], summary: '' })
  let shown = ''
  for (;;) {
    const step = await events.next()
    if (step.done) return { ...step.value, shown }
    if (step.value.type === 'token') shown += step.value.text
    else if (step.value.type === 'replace') shown = step.value.text
  }
}

function stageOf(
  { finishReason, usage, unsourced }: TurnOutcome,
  passages: Passage[],
): Stage | null {
  if (finishReason !== 'no_match') return null
  if (passages.length === 0) return 'search'
  if (usage.inputTokens === 0) return 'gate'
  return unsourced.length === 0 ? 'answerer' : 'check'
}
