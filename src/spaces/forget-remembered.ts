import { listPublishedAgents } from '../agents/published'
import type { UserContext } from '../context'
import { ApiError } from '../errors'
import { askSpace } from './ask-space'

/** What an agent remembers of the user in this space goes, if anything; also of an agent that is there no more. @throws notFound for a name that never was one. */
export async function forgetRemembered(ctx: UserContext, agentName: string): Promise<void> {
  try {
    await askSpace(ctx, ctx.space, 'memories', 'forget', agentName)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    const published = await listPublishedAgents(ctx)
    if (!published.some((agent) => agent.name === agentName)) throw error
  }
}
