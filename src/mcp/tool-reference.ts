const PREFIX = 'mcp:'
const MODEL_PREFIX = 'mcp_'
const MODEL_NAME_LENGTH = 64

/** `mcp:{server}` (all of its tools) or `mcp:{server}/{tool}`; null for any other text. */
export function parseReference(text: string): { server: string; tool: string | null } | null {
  if (!text.startsWith(PREFIX)) return null
  const [server = '', ...rest] = text.slice(PREFIX.length).split('/')
  const tool = rest.length === 0 ? null : rest.join('/')
  return server === '' || tool === '' ? null : { server, tool }
}

export const referenceTo = (server: string, tool: string): string => `${PREFIX}${server}/${tool}`

/**
 * A reference with its server's present name: what is published, or was once saved, goes on to name it as it was called
 * then. The id decides; where it is not known, or the server is gone, the name, and last a former one. Pure.
 * @param ids of servers, by those names
 */
export function currentReference(
  reference: string,
  ids: Readonly<Record<string, string>> | undefined,
  servers: readonly { id: string; name: string; formerNames: readonly string[] }[],
): string {
  const named = parseReference(reference)
  if (!named) return reference
  const server =
    servers.find(({ id }) => id === ids?.[named.server]) ??
    servers.find(({ name }) => name === named.server) ??
    servers.find(({ formerNames }) => formerNames.includes(named.server))
  return server
    ? PREFIX + server.name + reference.slice(PREFIX.length + named.server.length)
    : reference
}

/** Whether one of an agent's references covers a tool of a server. */
export function isReferred(references: Iterable<string>, server: string, tool: string): boolean {
  for (const reference of references) {
    if (reference === `${PREFIX}${server}` || reference === referenceTo(server, tool)) return true
  }
  return false
}

/**
 * The name under which a model calls a remote tool: letters, digits, `_` and `-`, at most 64, never one of our own tools'
 * names, unlike all in `taken` (to which it is added). The same tools in the same order get the same names.
 */
export function modelName(server: string, tool: string, taken: Set<string>): string {
  const plain = `${MODEL_PREFIX}${server}_${tool}`.replaceAll(/[^A-Za-z0-9_-]+/gu, '_')
  let name = plain.slice(0, MODEL_NAME_LENGTH)
  for (let n = 2; taken.has(name); n++) {
    const suffix = `_${n}`
    name = plain.slice(0, MODEL_NAME_LENGTH - suffix.length) + suffix
  }
  taken.add(name)
  return name
}
