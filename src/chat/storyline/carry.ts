import { SECOND_MS } from '../../config/limits'
import { currentReference } from '../../mcp/tool-reference'
import { within } from '../../models/deadlines'
import type { Carrier, ToolResult } from '../../storylines/play'
import type { NamedIds, StorylineRevision } from '../../storylines/records'
import type { Effect } from '../../storylines/story-state'
import { readFences } from '../../text/fence'
import { homeZone } from '../moment'
import type { TurnPorts } from '../run-turn'
import type { Turn } from '../steps/step'
import { buildTools } from '../tools'
import type { TurnRequest } from '../turn'
import type { StorylineDesk } from './desk'

type ToolCall = Extract<Effect, { type: 'tool' }>

export type CarrierPorts = Pick<
  TurnPorts,
  'callRemote' | 'fetchWeather' | 'schedule' | 'onInjection' | 'nonce' | 'signal'
> & { storylines: Pick<StorylineDesk, 'callOnce'> }

/** What a tool's call goes by. */
export interface ToolGround extends Pick<TurnRequest, 'agent' | 'now' | 'place' | 'tenant'> {
  lookups: Pick<Turn['lookups'], 'profile' | 'remote'>
}

const FAILED = { ok: false, data: null } as const

/**
 * Carries out what a storyline asks for, in a turn of its user or at the clock.
 * @param lookUp once a tool is called; null for an agent that is gone.
 * @param enrollmentId of one that begins with this turn, its storyline's
 * @param revision that the enrollment is on
 */
export function carrierOf(
  ports: CarrierPorts,
  lookUp: () => Promise<ToolGround | null>,
  enrollmentId: string,
  { behaviour: { ids } }: StorylineRevision,
): Carrier {
  return {
    callTool: (call) =>
      ports.storylines.callOnce(
        enrollmentId,
        call.step,
        JSON.stringify([call.node, call.tool, call.args]),
        () => callTool(ports, lookUp, call, ids?.servers),
      ),
    // Stored with the reply; who is told of it is told once that stands.
    handOff: async () => true,
  }
}

async function callTool(
  ports: CarrierPorts,
  lookUp: () => Promise<ToolGround | null>,
  call: ToolCall,
  serverIds: NamedIds['servers'] | undefined,
): Promise<ToolResult> {
  try {
    return await within(call.timeoutS * SECOND_MS, async () => {
      const ground = await lookUp()
      if (!ground) return { ...FAILED, status: 404 }
      return call.tool.startsWith('mcp:')
        ? callRemote(ports, ground, call, serverIds)
        : callOwn(ports, ground, call)
    })
  } catch {
    ports.signal.throwIfAborted()
    return { ...FAILED, status: 0 }
  }
}

async function callRemote(
  ports: CarrierPorts,
  { agent, lookups }: ToolGround,
  { tool, args }: ToolCall,
  serverIds: NamedIds['servers'] | undefined,
): Promise<ToolResult> {
  const current = currentReference(tool, serverIds, agent.mcp)
  const found = (await lookups.remote).find(({ reference }) => reference === current)
  if (!found) return { ...FAILED, status: 404 }
  const { ok, text } = await ports.callRemote(found.server, found.definition.name, args)
  return { ok, status: ok ? 200 : 500, data: readData(text) }
}

/** A tool of the platform's own, as a model of this agent would call it. The agent may have lost it since publishing. */
async function callOwn(
  ports: CarrierPorts,
  { agent, now, place, tenant, lookups }: ToolGround,
  { tool, args }: ToolCall,
): Promise<ToolResult> {
  const lists = [agent.config, ...agent.skills]
  if (!lists.some(({ tools }) => tools.includes(tool))) return { ...FAILED, status: 404 }
  const profile = await lookups.profile
  const tools = buildTools(
    {
      agent,
      now,
      place,
      profile,
      nonce: ports.nonce,
      zone: homeZone(profile, place, tenant),
      fetchWeather: ports.fetchWeather,
      searchKnowledge: async () => [],
      schedule: ports.schedule,
      handOff: () => {},
      startStoryline: () => {},
      onSkill: () => {},
      onInjection: ports.onInjection,
      onResult: () => {},
    },
    new Set([tool]),
  )
  const own = tools[tool]
  if (!own?.execute) return { ...FAILED, status: 404 }
  const context = { toolCallId: tool, messages: [], abortSignal: ports.signal, context: undefined }
  const data = await own.execute(args, context)
  if (typeof data !== 'string') return { ok: true, status: 200, data }
  return { ok: true, status: 200, data: readData(readFences(data)[0]?.text ?? data) }
}

/** A peer's text as the expressions read it: JSON where it is JSON. */
function readData(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
