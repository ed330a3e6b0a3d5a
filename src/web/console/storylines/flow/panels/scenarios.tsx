import { useState } from 'preact/hooks'
import { useApi } from '../../../api/call'
import { Button, Dialog, Menu, Notice, Problem, TextField, useToast } from '../../../parts'
import { to } from '../../../router'
import { useAct, useLoad } from '../../../use-load'
import { useShell } from '../../../words'
import { bodyOf, expectationsOf, FRESH, type Rehearsal } from '../../model/rehearsal'
import type { Scenario, ScenarioBody, ScenarioResults, Simulation } from '../../types'
import { useEditing } from '../context'
import { Deviations } from './deviations'
import { Expectations } from './expectations'
import { usePanelWords } from './words'

interface Props {
  rehearsal: Rehearsal
  result: Simulation | null
  onTry: (rehearsal: Rehearsal) => void
}

/** Conversations that the storyline must lead as expected, also before it is published. */
export function Scenarios({ rehearsal, result, onTry }: Props) {
  const t = usePanelWords()
  const shell = useShell()
  const api = useApi()
  const toast = useToast()
  const { flow } = useEditing()
  const path = to`/v1/storylines/${flow.saved.id}/scenarios`
  const loaded = useLoad((calls) => calls.get<Scenario[]>(path), [path])
  const [edited, setEdited] = useState<{ name: string; body: ScenarioBody } | null>(null)
  const [results, setResults] = useState<ScenarioResults | null>(null)
  const { busy, problem, act } = useAct()
  const list = loaded.data ?? []
  const runAll = () =>
    void act(async () => {
      await flow.flush()
      setResults(await api.post<ScenarioResults>(`${path}/run`))
    })
  const remove = (name: string) =>
    void act(async () => {
      await api.del(`${path}/${encodeURIComponent(name)}`)
      toast(t('scenarioDeleted'))
      loaded.reload()
    })
  const load = ({ messages, profile, tools, judge }: Scenario) =>
    onTry({ ...FRESH, messages, profile, tools, judge } as Rehearsal)
  return (
    <section class="stack sim-scenarios">
      <h3>{t('scenarios')}</h3>
      <p class="hint">{t('scenariosHint')}</p>
      <Problem of={loaded.problem ?? problem} />
      {list.map((scenario) => (
        <div key={scenario.name} class="row spread">
          <bdi>{scenario.name}</bdi>
          <Menu
            label={`${shell('actions')}: ${scenario.name}`}
            items={[
              { label: t('tryOut'), icon: 'play', act: () => load(scenario) },
              {
                label: shell('edit'),
                icon: 'pencil',
                act: () => {
                  const { name, updated_at: _at, ...body } = scenario
                  setEdited({ name, body: body as ScenarioBody })
                },
              },
              {
                label: shell('delete'),
                icon: 'trash',
                danger: true,
                act: () => remove(scenario.name),
              },
            ]}
          />
        </div>
      ))}
      {results?.ok && <Notice tone="ok">{t('scenariosHold', { n: list.length })}</Notice>}
      {results && !results.ok && <Deviations of={results.scenarios} />}
      <div class="row">
        {list.length > 0 && (
          <Button small icon="play" busy={busy} onClick={runAll}>
            {t('runScenarios')}
          </Button>
        )}
        <Button
          small
          icon="plus"
          disabled={result === null}
          onClick={() =>
            result &&
            setEdited({
              name: '',
              body: { ...bodyOf(rehearsal), expect: expectationsOf(result) },
            })
          }
        >
          {t('keepScenario')}
        </Button>
      </div>
      {edited && (
        <ScenarioDialog
          {...edited}
          path={path}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null)
            toast(t('scenarioSaved'))
            loaded.reload()
          }}
        />
      )}
    </section>
  )
}

interface DialogProps {
  name: string
  body: ScenarioBody
  path: string
  onClose: () => void
  onSaved: () => void
}

function ScenarioDialog({ name, body, path, onClose, onSaved }: DialogProps) {
  const t = usePanelWords()
  const shell = useShell()
  const api = useApi()
  const [written, setWritten] = useState(name)
  const [expect, setExpect] = useState(body.expect)
  const { busy, problem, act } = useAct()
  const save = () =>
    void act(async () => {
      await api.put(`${path}/${encodeURIComponent(written.trim())}`, { ...body, expect })
      onSaved()
    })
  return (
    <Dialog
      title={t('keepScenario')}
      wide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button
            kind="primary"
            busy={busy}
            disabled={written.trim() === '' || expect.length === 0}
            onClick={save}
          >
            {shell('save')}
          </Button>
        </>
      }
    >
      <TextField
        label={shell('name')}
        mono
        disabled={name !== ''}
        value={written}
        hint={t('scenarioNameHint')}
        onInput={setWritten}
      />
      <Expectations messages={body.messages} value={expect} onChange={setExpect} />
      <Problem of={problem} />
    </Dialog>
  )
}
