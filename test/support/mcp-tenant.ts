import type { Answer } from './harness'
import type { OpenAiServer } from './openai-server'
import { type SeededTenant, waitFor } from './seed'
import { parseSse } from './sse-reader'

let made = 0

/** A tenant's remote servers and its turns with a scripted model, in a test's words. */
export function mcpTenant(tenant: SeededTenant, model: OpenAiServer | null = null) {
  const freshName = () => `server-${++made}`
  const add = (fields: Record<string, unknown>): Promise<Answer> =>
    tenant.call('POST', '/v1/mcp-servers', {
      name: freshName(),
      transport: 'streamable_http',
      ...fields,
    })
  const check = async (id: string, body: Record<string, unknown> = {}) =>
    (await tenant.call('POST', `/v1/mcp-servers/${id}/check`, body)).json
  const read = async (id: string) => (await tenant.call('GET', `/v1/mcp-servers/${id}`)).json
  const chatCalls = () => (model?.calls ?? []).filter((call) => call.stream)
  return {
    freshName,
    add,
    check,
    chatCalls,
    /** A server that was asked, with what came of it: adding it has it asked in the background, and nobody asks again. */
    addChecked: async (url: string, fields: Record<string, unknown> = {}) => {
      const { status, json, text } = await add({ config: { url }, ...fields })
      if (status !== 200) throw new Error(text)
      if (!json.enabled) return check(json.id)
      return waitFor(async () => {
        const server = await read(json.id)
        return server.last_checked_at === null ? null : server
      })
    },
    read,
    /** What the model was offered at a step. */
    offered: (n = 0): string[] =>
      (chatCalls()[n]?.tools ?? []).map((tool) => tool.function.name).sort(),
    /** The model calls this tool once and then answers. */
    callOnce: (name: string, args: unknown) => {
      if (!model) throw new Error('There is no model')
      model.script = (_call, n) =>
        n === 0
          ? { toolCalls: [{ name, arguments: JSON.stringify(args) }] }
          : { text: 'This is what I found.' }
    },
    /** One turn; `heard` is what the model got back from its call. */
    talk: async (agent: string) => {
      const { text } = await tenant.as('ada', 'POST', '/v1/chat/stream', {
        message: 'Please',
        agent,
      })
      return { frames: parseSse(text), heard: JSON.stringify(chatCalls()[1]?.messages.at(-1)) }
    },
  }
}
