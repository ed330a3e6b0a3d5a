import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Button, Empty, Segmented } from '../parts'
import { to, useQuery } from '../router'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { focusPath } from './flow/at'
import { Canvas } from './flow/canvas'
import { type Editing, EditingContext, type Rehearsed, useEditing } from './flow/context'
import { FlowHead } from './flow/flow-head'
import { Outline } from './flow/outline'
import { PANELS, type PanelName, Panels } from './flow/panels/panels'
import { Toolbar } from './flow/toolbar'
import { useCommands } from './flow/use-commands'
import { useFlow } from './flow/use-flow'
import { useSurroundings } from './flow/use-surroundings'
import { useFlowWords } from './flow/words'
import { isBlank, isFormat1 } from './model/draft'
import { blankGraph } from './model/edits'
import { type Selection, type Spot, standing } from './model/problems'
import { FRESH } from './model/rehearsal'
import { StoryLoading } from './story-loading'
import type { Funnel, Storyline } from './types'

export { words } from './flow/panels/words'

const PATIENCE_MS = 500

export function Screen({ params }: ScreenProps) {
  const { id = '' } = params
  const loaded = useLoad((api) => api.get<Storyline>(to`/v1/storylines/${id}`), [id])
  return (
    <StoryLoading of={loaded}>
      {(first) => <FlowEditor key={first.id} first={first} />}
    </StoryLoading>
  )
}

function FlowEditor({ first }: { first: Storyline }) {
  const flow = useFlow(first)
  const { graph } = flow.draft
  const [query, setQuery] = useQuery()
  const [chosen, setChosen] = useState<Selection | null>(() =>
    isFormat1(graph) && Object.hasOwn(graph.nodes, graph.start)
      ? { kind: 'node', key: graph.start }
      : null,
  )
  const around = useSurroundings(first.id, flow.draft.agent_name)
  const wanted = useRef<{ path: string; until: number } | null>(null)
  const [rehearsed, setRehearsed] = useState<Rehearsed>({ rehearsal: FRESH, result: null })
  const view = query.get('view') === 'canvas' ? 'canvas' : 'outline'
  const counted = query.get('counts') === 'on'
  const funnel = useLoad(
    async (api) =>
      counted ? (await api.get<Funnel>(to`/v1/storylines/${first.id}/funnel`)).nodes : null,
    [first.id, counted],
  )
  const named = query.get('panel') as PanelName | null
  const panel = named !== null && Object.hasOwn(PANELS, named) ? named : 'inspect'
  const shown = useRef(panel)
  shown.current = panel
  const setPanel = (next: PanelName) => setQuery({ panel: next === 'inspect' ? null : next })
  const selection = isFormat1(graph) ? standing(chosen, graph) : null

  // The field is there only after the panel has been drawn.
  useEffect(() => {
    const { path, until } = wanted.current ?? { path: '', until: 0 }
    const panels = document.querySelector('.inspector')
    const isFound = panels !== null && path !== '' && focusPath(panels, path)
    // What is not there by then must not take the focus away from something else later.
    if (isFound || Date.now() > until) wanted.current = null
  })
  const editing: Editing = {
    flow,
    selection,
    select: (next) => {
      setChosen(next)
      // As it is now: who calls may have been drawn when another panel was open.
      if (next !== null && shown.current !== 'inspect') setPanel('inspect')
    },
    look: setChosen,
    goTo: (spot: Spot) => {
      if (spot.selection !== null) setChosen(spot.selection)
      wanted.current = { path: spot.path, until: Date.now() + PATIENCE_MS }
      setPanel(spot.panel)
    },
    around,
    rehearsed,
    setRehearsed,
    funnel: counted ? funnel.data : null,
  }
  return (
    <EditingContext.Provider value={editing}>
      <FlowHead>
        <Workspace
          view={view}
          counted={counted}
          onView={(next) => setQuery({ view: next === 'outline' ? null : next })}
          onCounted={(on) => setQuery({ counts: on ? 'on' : null })}
          panel={panel}
          onPanel={setPanel}
        />
      </FlowHead>
    </EditingContext.Provider>
  )
}

interface WorkspaceProps {
  view: 'outline' | 'canvas'
  counted: boolean
  onView: (view: 'outline' | 'canvas') => void
  onCounted: (on: boolean) => void
  panel: PanelName
  onPanel: (panel: PanelName) => void
}

function Workspace({ view, counted, onView, onCounted, panel, onPanel }: WorkspaceProps) {
  const t = useFlowWords()
  const { flow, select } = useEditing()
  const commands = useCommands()
  const { graph } = flow.draft
  const shown = useMemo(() => isFormat1(graph), [graph])
  return (
    <div class="flow-grid">
      <section class="flow-main" aria-label={t(view === 'canvas' ? 'canvas' : 'outline')}>
        {shown ? (
          <>
            <div class="row spread flow-bar">
              <Toolbar
                commands={commands}
                counted={counted}
                onCounted={() => onCounted(!counted)}
              />
              <Segmented
                label={t('view')}
                value={view}
                options={[
                  { value: 'outline', label: t('outline') },
                  { value: 'canvas', label: t('canvas') },
                ]}
                onChange={onView}
              />
            </div>
            {view === 'canvas' ? <Canvas /> : <Outline commands={commands} />}
            {view === 'outline' && <p class="hint outline-keys">{t('outlineKeys')}</p>}
          </>
        ) : isBlank(graph) ? (
          <Empty
            title={t('noNodes')}
            text={t('noNodesText')}
            action={
              <Button
                kind="primary"
                icon="plus"
                onClick={() => {
                  flow.editGraph(null, () => blankGraph())
                  select({ kind: 'node', key: 'message' })
                }}
              >
                {t('addFirst')}
              </Button>
            }
          />
        ) : (
          <Empty
            title={t('foreignTitle')}
            text={t('foreignGraph')}
            action={<Button onClick={() => onPanel('json')}>{t('panelJson')}</Button>}
          />
        )}
      </section>
      <Panels panel={panel} onPanel={onPanel} />
    </div>
  )
}
