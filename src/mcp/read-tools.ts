import { MCP } from '../config/limits'
import { sha256, toHex } from '../platform/crypto/bytes'
import { stripInvisible } from '../text/neutralise'
import { reduceSchema } from './reduce-schema'
import type { ToolDefinition } from './types'

/** What a server announces, as the protocol's library hands it over. */
export interface AnnouncedTool {
  name: string
  description?: string | undefined
  inputSchema: unknown
}

/** The protocol's own rule for names, and the slash that some servers use. */
const NAME = /^[A-Za-z0-9_.\-/]+$/
const HASH_DEPTH = 64

/**
 * Announced tools in the form that is kept. What has no proper name, comes twice, or has arguments that no model could
 * fill is left out and named.
 */
export async function readTools(
  announced: readonly AnnouncedTool[],
): Promise<{ tools: ToolDefinition[]; unusable: string[] }> {
  const names = announced.map(({ name }) => name)
  const tools: ToolDefinition[] = []
  const unusable: string[] = []
  for (const tool of announced) {
    const isTwice = names.indexOf(tool.name) !== names.lastIndexOf(tool.name)
    const read = isTwice ? null : await readTool(tool)
    if (read) tools.push(read)
    else unusable.push(tellName(tool.name))
  }
  return { tools, unusable }
}

/** For a sentence of ours: a name has no free form, or it is not told. */
export const tellName = (name: unknown): string => (isName(name) ? name : 'one without a name')

const isName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= MCP.toolNameLength && NAME.test(name)

async function readTool(tool: AnnouncedTool): Promise<ToolDefinition | null> {
  const { name, description = '', inputSchema } = tool
  if (!isName(name)) return null
  const said = canonical([name, description, inputSchema], 0)
  if (said === null || said.length > MCP.announcedSchemaLength) return null
  const reduced = reduceSchema(inputSchema)
  if (!reduced) return null
  return {
    name,
    description: stripInvisible(description.slice(0, MCP.descriptionLength)).trim(),
    notes: reduced.notes.join('\n').slice(0, MCP.notesLength),
    schema: reduced.schema,
    hash: toHex(await sha256(said)),
  }
}

/** JSON with sorted keys: the order in which a server happens to write them changes nothing. Null beyond the depth. */
function canonical(value: unknown, depth: number): string | null {
  if (depth > HASH_DEPTH) return null
  if (Array.isArray(value))
    return joined(
      '[',
      value.map((item) => canonical(item, depth + 1)),
      ']',
    )
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => {
      const text = canonical(item, depth + 1)
      return text === null ? null : `${JSON.stringify(key)}:${text}`
    })
  return joined('{', entries, '}')
}

function joined(open: string, parts: (string | null)[], close: string): string | null {
  return parts.includes(null) ? null : `${open}${parts.join(',')}${close}`
}
