export type Transport = 'streamable_http' | 'sse'

/** As the API shows a server; a test compares it with its schema. */
export interface Server {
  id: string
  name: string
  transport: Transport
  enabled: boolean
  confirm: 'all' | string[]
  config: { url: string; headers: string[] }
  status: 'unknown' | 'connecting' | 'ready' | 'failed' | 'disabled'
  tools: { name: string; description: string }[]
  pending: { name: string; description: string; change: 'changed' | 'new' }[]
  last_checked_at: string | null
  last_error: string | null
  created_at: string
}

/** Who has tools: an agent or a skill. */
export interface Holder {
  kind: 'agents' | 'skills'
  name: string
  tools: readonly string[]
  /** Shipped with the platform: nobody writes it. */
  isSystem: boolean
}

/** What somebody has of a server's tools: all, some, or none. */
export type Share = { kind: 'none' } | { kind: 'all' } | { kind: 'some'; tools: string[] }

const whole = (server: string) => `mcp:${server}`

export function shareOf(tools: readonly string[], server: string): Share {
  if (tools.includes(whole(server))) return { kind: 'all' }
  const some = tools
    .filter((tool) => tool.startsWith(`${whole(server)}/`))
    .map((tool) => tool.slice(whole(server).length + 1))
  return some.length > 0 ? { kind: 'some', tools: some } : { kind: 'none' }
}

export interface ListChange {
  tools_add: string[]
  tools_remove: string[]
}

/** What an agent or skill is to be sent so that it has this of a server, and keeps everything else. */
export function changeOf(tools: readonly string[], server: string, wanted: Share): ListChange {
  const now = tools.filter((tool) => tool === whole(server) || tool.startsWith(`${whole(server)}/`))
  const next =
    wanted.kind === 'none'
      ? []
      : wanted.kind === 'all'
        ? [whole(server)]
        : wanted.tools.map((tool) => `${whole(server)}/${tool}`)
  return {
    tools_add: next.filter((tool) => !now.includes(tool)),
    tools_remove: now.filter((tool) => !next.includes(tool)),
  }
}
