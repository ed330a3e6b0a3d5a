import { jsonSchema, type Tool, tool } from '@ai-sdk/provider-utils'
import { OPTIONAL_TOOLS, SYSTEM_TOOLS } from '../config/names'
import type { Passage } from '../knowledge/types'
import type { loadAsking } from '../lazy'
import { parseReference } from '../mcp/tool-reference'
import type { ResolvedModel } from '../models/chat-model'
import type { Form } from '../storylines/speak'
import { mergeIdf } from '../text/term-weights'
import type { UserFacts } from '../users/user-facts'
import type { PendingCall } from './asking/asked'
import { callTool, type ToolAnswer } from './call-tools'
import type { Checker } from './check'
import {
  buildRemoteTools,
  callRemoteTool,
  type RemoteScope,
  type RemoteTool,
  resolveNames,
} from './remote-tools'
import { sanitize } from './reply/spoken-reply'
import { retrieveSafely } from './retrieve'
import type { TurnPorts } from './run-turn'
import type { Turn } from './steps/step'
import {
  buildTools,
  FOLLOWUP_TOOL,
  REMINDER_TOOL,
  SEARCH_TOOL,
  SKILL_TOOL,
  START_TOOL,
  startableOf,
} from './tools'
import type { ScheduleResult } from './turn'
import { showsForms } from './what-is-seen'

export type ToolPorts = Pick<
  TurnPorts,
  | 'acts'
  | 'search'
  | 'fetchWeather'
  | 'schedule'
  | 'callRemote'
  | 'resolveModel'
  | 'onInjection'
  | 'nonce'
>

/** What the tools of an answer go by. */
export interface ToolSetting {
  turn: Turn
  profile: UserFacts
  zone: string
  /** Tools of remote servers that the agent or its skills may use. */
  remote: readonly RemoteTool[]
  /** What tools find and report becomes evidence. */
  checker: Checker
  /** How a form is asked for; null where the agent asks none. */
  asking: Awaited<ReturnType<typeof loadAsking>> | null
}

export const FORM_TOOL = 'ask_form'

/** The tools of an answer, and which of them its next step may call: a skill that is loaded brings some, and its model. */
export class OfferedTools {
  readonly all: ReturnType<typeof buildRemoteTools>
  #remoteScope: RemoteScope
  readonly #ports: ToolPorts
  readonly #setting: ToolSetting
  /** The skill loaded last. */
  #skill: string | null = null

  constructor(ports: ToolPorts, setting: ToolSetting) {
    this.#ports = ports
    this.#setting = setting
    this.#remoteScope = this.#reach()
    this.all = this.#build()
  }

  /** Names of what the next step may call. */
  active(): string[] {
    const { turn, remote } = this.#setting
    const { agent } = turn.request
    const names = new Set([...agent.config.tools, ...(this.#loaded()?.tools ?? [])])
    if (turn.onDemand) names.add(SEARCH_TOOL)
    if (agent.config.ask_forms) names.add(FORM_TOOL)
    if (agent.bases.length === 0) names.delete(SEARCH_TOOL)
    if (agent.skills.length > 0) names.add(SKILL_TOOL)
    if (names.has(REMINDER_TOOL)) names.add(FOLLOWUP_TOOL)
    if (mayStart(turn)) names.add(START_TOOL)
    return resolveNames(names, remote)
  }

  /** The model of the next step where a skill brings its own. */
  model(): ResolvedModel | null {
    const skill = this.#loaded()
    return skill?.model ? this.#ports.resolveModel(skill.model) : null
  }

  /** Listeners hear of a remote tool by the name that the tenant gave it. */
  shownName(name: string): string {
    return this.#setting.remote.find((tool) => tool.name === name)?.reference ?? name
  }

  #loaded() {
    const { skills } = this.#setting.turn.request.agent
    return skills.find((candidate) => candidate.name === this.#skill)
  }

  #build(): ReturnType<typeof buildRemoteTools> {
    const { onInjection, nonce, fetchWeather, schedule, acts } = this.#ports
    const { turn, profile, zone, checker } = this.#setting
    const { agent, now, place } = turn.request
    const scope = {
      agent,
      nonce,
      onInjection,
      onResult: (text: string) => checker.addToolResult(text),
    }
    const remote = buildRemoteTools(this.#remoteScope, this.#setting.remote)
    const names = new Set<string>(
      [...SYSTEM_TOOLS, ...OPTIONAL_TOOLS].filter((name) => mayEverUse(turn, name)),
    )
    if (mayStart(turn)) names.add(START_TOOL)
    if (names.size === 0 && agent.skills.length === 0) return remote
    const own = buildTools(
      {
        ...scope,
        now,
        place,
        profile,
        zone,
        fetchWeather,
        searchKnowledge: (query) => this.#search(query),
        // What is said later is made as safe to show as what is said now.
        schedule: (kind, { text, ...when }) => {
          const args = { ...when, text: sanitize(turn.request, text) }
          const reference = kind === 'reminder' ? REMINDER_TOOL : FOLLOWUP_TOOL
          return acts.onceOwn<ScheduleResult>({ reference, args }, (former) =>
            schedule(kind, args, former?.ok ? former.id : null),
          )
        },
        startStoryline: (key) => {
          turn.start ??= key
        },
        handOff: () => {
          turn.handoff ??= { reason: 'agent', lines: [], notify: [], isTold: false }
        },
        onSkill: (name) => {
          this.#skill = name
        },
      },
      names,
    )
    return { ...remote, ...own, ...this.#form() }
  }

  /** The tool that asks for several values at once. The first form that it takes ends the model's turn. */
  #form(): Record<string, Tool> {
    const { turn, asking } = this.#setting
    if (!asking || !mayEverUse(turn, FORM_TOOL)) return {}
    const { channel, now } = turn.request
    const { question, lang } = turn
    return {
      [FORM_TOOL]: tool({
        description: asking.FORM_HELP,
        inputSchema: jsonSchema<Form>(asking.FORM_SCHEMA, {
          validate: (asked) => {
            const form = asking.readForm(asked)
            return typeof form === 'string'
              ? { success: false, error: new Error(`Invalid arguments: ${form}.`) }
              : { success: true, value: form }
          },
        }),
        execute: (form) => {
          const safe = { ...form, title: sanitize(turn.request, form.title) }
          turn.asked ??= asking.askForm(safe, { question, lang, now }, showsForms(channel))
          return 'The form is shown.'
        },
      }) as Tool,
    }
  }

  #reach(): RemoteScope {
    const { callRemote, onInjection, nonce, acts } = this.#ports
    const { turn, checker, asking } = this.#setting
    const { agent, now } = turn.request
    return {
      agent,
      nonce,
      onInjection,
      onResult: (text) => checker.addToolResult(text),
      callRemote,
      acts,
      hold: ({ reference, server }, args, id) => {
        const { question, lang } = turn
        const call = { reference, serverId: server.id, args, id, question, lang, at: now }
        if (asking) turn.asked ??= asking.askCall(call)
      },
    }
  }

  /** Makes a call that the user has confirmed, as the tools are now: its arguments are checked again. */
  carryOut(
    { reference, serverId, args, id }: PendingCall,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    const name = parseReference(reference)?.tool
    const item = this.#setting.remote.find((tool) =>
      serverId === undefined
        ? tool.reference === reference
        : tool.server.id === serverId && tool.definition.name === name,
    )
    const call = { id, name: item?.name ?? reference, input: JSON.stringify(args) }
    const offered = item ? this.all[item.name] : undefined
    if (!item || !offered) return callTool({}, [], call, signal)
    const confirmed: Tool = {
      ...offered,
      execute: (checked: Record<string, unknown>) =>
        callRemoteTool(this.#remoteScope, item, checked, id),
    }
    return callTool({ [item.name]: confirmed }, [item.name], call, signal)
  }

  /** Passages found in the middle of a turn are numbered on, so that marks stay unambiguous. */
  async #search(query: string): Promise<Passage[]> {
    const { turn, checker } = this.#setting
    const found = await retrieveSafely(this.#ports, turn, query)
    turn.searchFailed ||= found.failed
    if (found.failed && found.passages.length === 0)
      throw new Error('The knowledge bases cannot be searched right now.')
    const known = new Map(turn.passages.map((passage) => [passage.chunkId, passage]))
    const fresh = found.passages
      .filter((passage) => !known.has(passage.chunkId))
      .map((passage, index) => ({ ...passage, n: turn.passages.length + index + 1 }))
    turn.passages = [...turn.passages, ...fresh]
    checker.addPassages(fresh, mergeIdf(found.results.map((result) => result.idf)))
    return found.passages.map(
      (passage) =>
        known.get(passage.chunkId) ??
        fresh.find((candidate) => candidate.chunkId === passage.chunkId) ??
        passage,
    )
  }
}

/** Nobody is led through a storyline behind whom several people stand. */
/** Nothing is started in a turn that a storyline moves; one that only holds is no such. */
const mayStart = ({ request: { agent, caller }, storyline }: Turn): boolean =>
  !caller.shared && startableOf(agent).length > 0 && !storyline?.changes.length

/** Whether a tool of an agent's remote servers may be one that its user confirms. */
export const mayConfirm = ({ request: { agent } }: Turn): boolean =>
  agent.mcp.some(({ confirm }) => confirm.length > 0)

/** Whether the agent or any of its skills may use a tool. */
export function mayEverUse({ request, onDemand }: Turn, name: string): boolean {
  const { agent } = request
  if (name === FORM_TOOL && agent.config.ask_forms) return true
  if (name === SEARCH_TOOL && agent.bases.length === 0) return false
  if (name === SEARCH_TOOL && onDemand) return true
  return (
    agent.config.tools.includes(name) || agent.skills.some((skill) => skill.tools.includes(name))
  )
}
