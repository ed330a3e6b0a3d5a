import { useRef } from 'preact/hooks'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { AgentLoading } from './agent-loading'
import { AgentPage } from './agent-page'
import { agentApi } from './paths'
import { Address } from './share/address'
import { AppIcon } from './share/app-icon'
import { Elsewhere } from './share/elsewhere'
import { loadShare, type ShareData } from './share/load-share'
import { WidgetBuilder } from './share/widget-builder'

export { words } from './share/words'

/** How people come to the agent: its page, a site of the tenant's, an installed app, a messaging app. */
export function Screen({ params }: ScreenProps) {
  const { name = '' } = params
  const loaded = useLoad((api, signal) => loadShare(api, name, signal), [name])
  // Two things may be stored at once: each changes what is there by then.
  const latest = useRef(loaded.data)
  latest.current = loaded.data
  const change = (part: Partial<ShareData>) => {
    if (latest.current === null) return
    latest.current = { ...latest.current, ...part }
    loaded.set(latest.current)
  }
  return (
    <AgentLoading name={name} of={loaded}>
      {(data) => {
        const { agent } = data
        return (
          <AgentPage
            key={agent.id}
            agent={agent}
            part="share"
            call={{
              method: 'PUT',
              path: `${agentApi(name)}/alias`,
              body: { alias: data.alias.alias },
            }}
            onStored={(stored) => change({ agent: stored })}
          >
            <div class="stack">
              <Address data={data} onStored={(alias) => change({ alias })} />
              <WidgetBuilder data={data} />
              <AppIcon data={data} onStored={(app) => change({ app })} />
              <Elsewhere data={data} />
            </div>
          </AgentPage>
        )
      }}
    </AgentLoading>
  )
}
