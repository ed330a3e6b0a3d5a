import { Loadable } from '../parts'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { AgentPage } from './agent-page'
import { agentApi } from './paths'
import { Address } from './share/address'
import { AppIcon } from './share/app-icon'
import { Elsewhere } from './share/elsewhere'
import { loadShare } from './share/load-share'
import { WidgetBuilder } from './share/widget-builder'

export { words } from './words'

/** How people come to the agent: its page, a site of the tenant's, an installed app, a messaging app. */
export function Screen({ params }: ScreenProps) {
  const { name = '' } = params
  const loaded = useLoad((api, signal) => loadShare(api, name, signal), [name])
  return (
    <Loadable of={loaded}>
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
            onStored={(stored) => loaded.set({ ...data, agent: stored })}
          >
            <div class="stack">
              <Address data={data} onStored={(alias) => loaded.set({ ...data, alias })} />
              <WidgetBuilder data={data} />
              <AppIcon data={data} onStored={(app) => loaded.set({ ...data, app })} />
              <Elsewhere data={data} />
            </div>
          </AgentPage>
        )
      }}
    </Loadable>
  )
}
