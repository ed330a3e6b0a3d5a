import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Notice, SaveBar, Segmented, useSharedEditor } from '../parts'
import { isSame, pick } from '../parts/changed-elsewhere'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { useShell } from '../words'
import { AgentLoading } from './agent-loading'
import { AgentPage } from './agent-page'
import { Answering } from './build/answering'
import { Conversation } from './build/conversation'
import { cleanDraft, type Draft, draftWarnings, menuChips, toDraft } from './build/draft'
import { useFieldLabel } from './build/field-label'
import { Grounding } from './build/grounding'
import { Instructions } from './build/instructions'
import { Languages } from './build/languages'
import { LazyTalk } from './build/lazy-talk'
import { type BuildData, loadBuild, modelsOf } from './build/load-build'
import { PlanPreview } from './build/plan'
import { goToSection, SECTIONS } from './build/section'
import { ToolsAndSkills } from './build/tools'
import { useBuildWords } from './build/words'
import { agentApi } from './paths'
import type { Agent } from './types'

export { words } from './build/words'

/** Everything that an agent is, with a chat at its side that tries it. */
export function Screen({ params }: ScreenProps) {
  const { name = '' } = params
  const loaded = useLoad((api, signal) => loadBuild(api, name, signal), [name])
  return (
    <AgentLoading name={name} of={loaded}>
      {(data) => (
        <Build
          key={data.agent.id}
          data={data}
          onStored={(agent) => loaded.set({ ...data, agent })}
        />
      )}
    </AgentLoading>
  )
}

interface Props {
  data: BuildData
  onStored: (agent: Agent) => void
}

function Build({ data, onStored }: Props) {
  const t = useBuildWords()
  const shell = useShell()
  const { agent, skills, bases, servers } = data
  const [side, setSide] = useState<'form' | 'talk'>('form')
  const api = useApi()
  const labelOf = useFieldLabel()
  const { editor, conflict } = useSharedEditor(toDraft(agent), {
    read: async () => toDraft(await api.get<Agent>(agentApi(agent.name))),
    write: async (changed) => {
      const stored = await api.patch<Agent>(agentApi(agent.name), cleanDraft(changed))
      onStored(stored)
      return toDraft(stored)
    },
    labelOf,
  })
  const { draft, dirty } = editor
  const warnings = draftWarnings(draft, data)
  return (
    <AgentPage agent={agent} part="" dirty={dirty} call={callOf(agent, draft)} onStored={onStored}>
      <div class="build-switch">
        <Segmented
          label={t('show')}
          value={side}
          options={[
            { value: 'form', label: shell('edit') },
            { value: 'talk', label: t('talkTitle') },
          ]}
          onChange={setSide}
        />
      </div>
      <div class="build" data-side={side}>
        <div class="build-form stack">
          <nav class="build-jumps" aria-label={t('parts')}>
            {SECTIONS.map((id) => (
              <button type="button" key={id} class="link-button" onClick={() => goToSection(id)}>
                {t(id)}
              </button>
            ))}
          </nav>
          {warnings.length > 0 && (
            <Notice tone="warn">
              <ul class="plain-list">
                {warnings.map(({ kind, name }) => (
                  <li key={kind + name}>{t(`warning_${kind}`, { name })}</li>
                ))}
              </ul>
            </Notice>
          )}
          <Instructions editor={editor} />
          <Grounding editor={editor} bases={bases} />
          <ToolsAndSkills editor={editor} skills={skills} servers={servers} />
          <Answering editor={editor} models={modelsOf(data)} />
          <Conversation editor={editor} agent={agent.name} skills={skills} />
          <Languages editor={editor} skills={skills} />
          <PlanPreview name={agent.name} unsaved={dirty} />
          {conflict}
          <SaveBar editor={editor} />
        </div>
        <div class="build-talk">
          <LazyTalk
            agent={agent.name}
            greeting={agent.greeting}
            chips={menuChips(agent.menu_items, skills)}
            published={agent.published}
            unsaved={dirty}
          />
        </div>
      </div>
    </AgentPage>
  )
}

/** The call behind the page: what would be saved, or how the agent is read. */
function callOf(agent: Agent, draft: Draft) {
  const path = agentApi(agent.name)
  const saved = toDraft(agent)
  const changed = (Object.keys(draft) as (keyof Draft)[]).filter(
    (key) => !isSame(draft[key], saved[key]),
  )
  return changed.length === 0
    ? { method: 'GET', path }
    : { method: 'PATCH', path, body: cleanDraft(pick(draft, changed)) }
}
