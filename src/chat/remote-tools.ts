import { jsonSchema, type Tool, tool } from '@ai-sdk/provider-utils'
import { LIMITS, MCP } from '../config/limits'
import { loadMcp } from '../lazy'
import { checkArguments } from '../mcp/check-arguments'
import { takeTools } from '../mcp/facts'
import { McpError } from '../mcp/mcp-error'
import { isReferred, modelName, referenceTo } from '../mcp/tool-reference'
import type { McpCallResult } from '../mcp/turn-servers'
import type { McpServerFacts, ToolDefinition } from '../mcp/types'
import { cutToTokens, estimateTokens } from '../models/tokens'
import { fence } from '../text/fence'
import type { Acts } from './acts'
import { scanForInjection } from './guard'
import type { TurnRequest } from './turn'

/** What calling a remote tool may reach. */
export interface RemoteScope {
  agent: TurnRequest['agent']
  nonce: string
  callRemote(
    server: McpServerFacts,
    tool: string,
    args: Record<string, unknown>,
    id: string,
  ): Promise<McpCallResult>
  /** What was called, in this attempt and before. */
  acts: Acts
  /** Puts a call to the user instead of making it. */
  hold(tool: RemoteTool, args: Record<string, unknown>, id: string): void
  onInjection(rule: string): void
  onResult(text: string): void
}

/** A remote tool as this turn offers it. */
export interface RemoteTool {
  /** What the model calls it. */
  name: string
  /** `mcp:{server}/{tool}`: what people call it. */
  reference: string
  server: McpServerFacts
  definition: ToolDefinition
}

const WITHHELD = 'The description was withheld because it contained instructions.'
const RESULT_CHARS = 200_000

/**
 * Fills in what servers that were never asked announce now: each gets ten seconds, all at once, and one that does not
 * answer is left out of this turn.
 */
export async function discoverRemote(
  servers: readonly McpServerFacts[],
  discover: (server: McpServerFacts) => Promise<ToolDefinition[] | null>,
): Promise<McpServerFacts[]> {
  return Promise.all(
    servers.map(async (server) => {
      if (server.tools !== null) return server
      const found = (await discover(server)) ?? []
      const room = { tools: MCP.toolsPerTurn, characters: MCP.definitionsPerTurn }
      return { ...server, tools: takeTools(found, server.name, server.references, room)[0] }
    }),
  )
}

/** Every remote tool of the turn, at most as many as a turn may offer. Pure. */
export function listRemoteTools(servers: readonly McpServerFacts[]): RemoteTool[] {
  const taken = new Set<string>()
  return servers
    .flatMap((server) =>
      (server.tools ?? []).map((definition) => ({
        name: modelName(server.name, definition.name, taken),
        reference: referenceTo(server.name, definition.name),
        server,
        definition,
      })),
    )
    .slice(0, MCP.toolsPerTurn)
}

/** The names that a list of tools stands for: our own as they are, references as the remote tools they cover. Pure. */
export function resolveNames(names: ReadonlySet<string>, remote: readonly RemoteTool[]): string[] {
  const own = [...names].filter((name) => !name.startsWith('mcp:'))
  const covered = remote.filter(({ server, definition }) =>
    isReferred(names, server.name, definition.name),
  )
  return [...own, ...covered.map(({ name }) => name)]
}

/** Tools for the tool loop. What a server says of them is data: fenced, and withheld where it gives orders. */
export function buildRemoteTools(
  scope: RemoteScope,
  remote: readonly RemoteTool[],
): Record<string, Tool> {
  const limit = resultLimit(scope)
  return Object.fromEntries(
    remote.map((item) => [
      item.name,
      tool({
        description: describe(scope, item),
        inputSchema: jsonSchema<Record<string, unknown>>(item.definition.schema, {
          validate: async (value) => {
            const { Validator } = await loadMcp()
            const problem = checkArguments(Validator, item.definition.schema, value)
            return problem === null
              ? { success: true, value: value as Record<string, unknown> }
              : { success: false, error: new Error(`Invalid arguments: ${problem}.`) }
          },
        }),
        execute: async (args) => {
          if (estimateTokens(JSON.stringify(args)) > limit)
            throw new Error(`The arguments are longer than ${limit} tokens; shorten them.`)
          const { acts } = scope
          const { reference } = item
          const { id, isDone } = acts.name(reference, args)
          if (isDone || !needsConfirming(item)) return callRemoteTool(scope, item, args, id)
          scope.hold(item, args, id)
          return 'The user is asked whether to do this.'
        },
      }) as Tool,
    ]),
  )
}

function describe(scope: RemoteScope, { reference, definition }: RemoteTool): string {
  const said = [definition.description, definition.notes && `Arguments:\n${definition.notes}`]
    .filter(Boolean)
    .join('\n')
  const title = `Tool ${reference} of a remote server.`
  if (said === '') return title
  const hit = scope.agent.config.injection_guard ? scanForInjection(said) : null
  if (hit) {
    scope.onInjection(hit.rule)
    return `${title} ${WITHHELD}`
  }
  const max = MCP.descriptionLength + MCP.notesLength
  const data = fence(
    [{ n: null, label: 'what the server says of it', text: said }],
    scope.nonce,
    max,
  )
  return `${title}\n${data}`
}

/** Whether the tenant has marked a tool as one that acts. */
const needsConfirming = ({ server: { confirm }, definition }: RemoteTool): boolean =>
  confirm === 'all' || confirm.includes(definition.name)

const resultLimit = ({ agent }: RemoteScope): number =>
  agent.config.tool_call_max_tokens ?? LIMITS.toolCallMaxTokens.default

/** @throws Error in words for the model when the tool or its server fails. */
export async function callRemoteTool(
  scope: RemoteScope,
  { server, definition, reference }: RemoteTool,
  args: Record<string, unknown>,
  id: string,
): Promise<string> {
  const limit = resultLimit(scope)
  const called = scope.acts.once({ id, reference, args }, () =>
    scope.callRemote(server, definition.name, args, id),
  )
  const result = await called.catch((error: unknown) => {
    if (error instanceof McpError) throw new Error(`${reference} failed: ${error.message}.`)
    throw error
  })
  const text = present(scope, reference, result.text, limit)
  if (!result.ok) throw new Error(`${reference} reported an error.\n${text}`)
  return text
}

/** The peer's text as data within the limit, its fence always closed. */
function present(scope: RemoteScope, label: string, said: string, limit: number): string {
  const text = said.slice(0, RESULT_CHARS)
  const hit = scope.agent.config.injection_guard ? scanForInjection(text) : null
  if (hit) {
    scope.onInjection(hit.rule)
    return 'The result was withheld because it contained instructions.'
  }
  if (text.trim() === '') return 'The tool returned nothing.'
  const wrap = (data: string) => fence([{ n: null, label, text: data }], scope.nonce, RESULT_CHARS)
  const note = `\n[cut: the result was longer than ${limit} tokens]`
  const whole = wrap(text)
  if (text.length === said.length && estimateTokens(whole) <= limit) {
    scope.onResult(text)
    return whole
  }
  const room = Math.max(1, limit - estimateTokens(wrap('') + note))
  const cut = cutToTokens(text, room)
  scope.onResult(cut)
  return wrap(cut) + note
}
