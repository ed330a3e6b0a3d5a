export { KnowledgeBase } from '../../durable-objects/knowledge-base/knowledge-base'

/** One call of an object's method, as a test posts it. */
export interface ObjectCall {
  name: string
  method: string
  args: unknown[]
}

/** A Worker that holds nothing but the knowledge-base class and hands posted calls on to it. */
export default {
  async fetch(request, env) {
    const { name, method, args } = await request.json<ObjectCall>()
    const stub = env.KNOWLEDGE_BASE.get(env.KNOWLEDGE_BASE.idFromName(name))
    const call = Reflect.get(stub, method) as (...args: unknown[]) => Promise<unknown>
    try {
      return Response.json({ value: (await call(...args)) ?? null })
    } catch (error) {
      return Response.json({ error: error instanceof Error ? error.message : String(error) })
    }
  },
} satisfies ExportedHandler<Env>
