import { useRef } from 'preact/hooks'
import { isFormat1 } from '../../model/draft'
import { countOf } from '../../model/problems'
import { useEditing } from '../context'
import { ExitInspector } from '../exit-inspector'
import { ExitRows } from '../exit-rows'
import { NodeInspector } from '../node-inspector'
import { JsonPanel } from './json-panel'
import { ProblemsPanel } from './problems-panel'
import { RevisionsPanel } from './revisions-panel'
import { SettingsPanel } from './settings-panel'
import { Simulator } from './simulator'
import { SlotsPanel } from './slots-panel'
import { type PanelKey, usePanelWords } from './words'

export const PANELS = {
  inspect: 'panelInspect',
  problems: 'panelProblems',
  slots: 'panelSlots',
  settings: 'panelSettings',
  try: 'panelTry',
  revisions: 'panelRevisions',
  json: 'panelJson',
} as const satisfies Record<string, PanelKey>
export type PanelName = keyof typeof PANELS

interface Props {
  panel: PanelName
  onPanel: (panel: PanelName) => void
}

/** What stands beside the outline: one of several panels. */
export function Panels({ panel, onPanel }: Props) {
  const t = usePanelWords()
  const { flow } = useEditing()
  const tabs = useRef<HTMLDivElement>(null)
  const names = Object.keys(PANELS) as PanelName[]
  const { errors, warnings } = countOf(flow.findings ?? [])
  const go = (by: number) => {
    const next = names[(names.indexOf(panel) + by + names.length) % names.length]
    if (next) onPanel(next)
    requestAnimationFrame(() =>
      tabs.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus(),
    )
  }
  return (
    <section class="side-panel card" aria-label={t(PANELS[panel])}>
      <div
        ref={tabs}
        class="side-tabs"
        role="tablist"
        aria-label={t('panels')}
        onKeyDown={(event) => {
          const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
          if (event.key === 'ArrowRight') go(rtl ? -1 : 1)
          if (event.key === 'ArrowLeft') go(rtl ? 1 : -1)
        }}
      >
        {names.map((name) => (
          <button
            key={name}
            id={`panel-tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === panel}
            aria-controls="panel-body"
            tabIndex={name === panel ? 0 : -1}
            onClick={() => onPanel(name)}
          >
            {t(PANELS[name])}
            {name === 'problems' && errors + warnings > 0 && (
              <span class={errors > 0 ? 'count bad' : 'count'}> {errors + warnings}</span>
            )}
          </button>
        ))}
      </div>
      <div
        id="panel-body"
        class="side-body inspector"
        role="tabpanel"
        tabIndex={-1}
        aria-labelledby={`panel-tab-${panel}`}
      >
        <PanelBody panel={panel} />
      </div>
    </section>
  )
}

function PanelBody({ panel }: { panel: PanelName }) {
  switch (panel) {
    case 'inspect':
      return <Inspector />
    case 'problems':
      return <ProblemsPanel />
    case 'slots':
      return <SlotsPanel />
    case 'settings':
      return <SettingsPanel />
    case 'try':
      return <Simulator />
    case 'revisions':
      return <RevisionsPanel />
    case 'json':
      return <JsonPanel />
  }
}

function Inspector() {
  const t = usePanelWords()
  const { selection, flow } = useEditing()
  if (selection === null || !isFormat1(flow.draft.graph))
    return <p class="muted">{t('selectSomething')}</p>
  if (selection.kind === 'node')
    return (
      <>
        <h2 dir="auto">{flow.draft.graph.nodes[selection.key]?.title ?? selection.key}</h2>
        <NodeInspector key={selection.key} nodeKey={selection.key} />
      </>
    )
  if (selection.kind === 'exit')
    return (
      <>
        <h2>{t('exit')}</h2>
        <ExitInspector
          key={`${selection.owner} ${selection.index}`}
          owner={selection.owner}
          index={selection.index}
        />
      </>
    )
  return (
    <>
      <h2>{t('everywhere')}</h2>
      <ExitRows owner={null} />
    </>
  )
}
