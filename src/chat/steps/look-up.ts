import { discoverRemote, listRemoteTools } from '../remote-tools'
import type { TurnPorts } from '../run-turn'
import type { Step } from './step'

/** Starts what runs beside the search: what is remembered of the user, what they told, the tools of remote servers. */
export const lookUp =
  (ports: Pick<TurnPorts, 'recall' | 'profile' | 'discoverRemote'>): Step =>
  (turn) => {
    const { message, agent } = turn.request
    turn.lookups = {
      memories: ports.recall(message),
      profile: ports.profile(),
      remote: discoverRemote(agent.mcp, ports.discoverRemote).then(listRemoteTools),
    }
    return null
  }
