import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Badge,
  Button,
  FileField,
  Loadable,
  Notice,
  Problem,
  TextArea,
  TextField,
  useToast,
} from '../parts'
import { Link, navigate, useGuard } from '../router'
import { useAct, useLoad } from '../use-load'
import { freeName, NAME_LENGTH, nameState } from './name-state'
import { agentApi, agentPath } from './paths'
import { readImport } from './read-import'
import type { Agent, Template } from './types'
import { useAgentWords } from './words'

interface Props {
  /** Names of the agents that there are. */
  taken: readonly string[]
}

interface FrameProps {
  problem: ReturnType<typeof useAct>['problem']
  busy: boolean
  ready: boolean
  /** Something was written or chosen that leaving would lose. */
  begun: boolean
  action?: string
  onSubmit: () => void
  children: ComponentChildren
}

function Frame({ problem, busy, ready, begun, action, onSubmit, children }: FrameProps) {
  const t = useAgentWords()
  useGuard(begun)
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready && !busy) onSubmit()
      }}
    >
      {children}
      <Problem of={problem} />
      <div class="row">
        <Button kind="primary" type="submit" busy={busy} disabled={!ready}>
          {action ?? t('create')}
        </Button>
      </div>
    </form>
  )
}

/** Makes one and goes to where it is built. */
function useMake() {
  const t = useAgentWords()
  const say = useToast()
  const acting = useAct()
  const make = (work: () => Promise<Agent>) =>
    void acting.act(async () => {
      const agent = await work()
      say(t('nowMade', { name: agent.name }))
      // Back leads to where the form was opened, not to the form.
      navigate(agentPath(agent.name), { replace: true })
    })
  return { ...acting, make }
}

function NameInput(props: {
  name: string
  taken: readonly string[]
  onInput: (name: string) => void
}) {
  const t = useAgentWords()
  const { name, taken, onInput } = props
  const [touched, setTouched] = useState(false)
  const state = nameState(name, taken)
  return (
    <TextField
      label={t('name')}
      hint={t('nameHint')}
      value={name}
      maxLength={NAME_LENGTH}
      error={state === 'ok' || (state === 'empty' && !touched) ? null : t(`name_${state}`)}
      onInput={(value) => {
        setTouched(true)
        onInput(value)
      }}
    />
  )
}

export function NewBlank({ taken }: Props) {
  const t = useAgentWords()
  const api = useApi()
  const { make, busy, problem } = useMake()
  const [name, setName] = useState('')
  const [task, setTask] = useState('')
  return (
    <Frame
      {...{ busy, problem }}
      ready={nameState(name, taken) === 'ok'}
      begun={name !== '' || task !== ''}
      onSubmit={() => make(() => api.post<Agent>(agentApi(name.trim()), { task }))}
    >
      <NameInput {...{ name, taken }} onInput={setName} />
      <TextArea
        optional
        label={t('task')}
        hint={t('taskHint')}
        value={task}
        rows={5}
        maxLength={20_000}
        onInput={setTask}
      />
    </Frame>
  )
}

export function NewFromTemplate({ taken }: Props) {
  const t = useAgentWords()
  const api = useApi()
  const { make, busy, problem } = useMake()
  const templates = useLoad(
    (calls, signal) => calls.get<Template[]>('/v1/agents/templates', {}, signal),
    [],
  )
  const [chosen, setChosen] = useState<Template | null>(null)
  const [name, setName] = useState('')
  const choose = (template: Template) => {
    setChosen(template)
    setName(freeName(template.id, taken))
  }
  return (
    <Loadable of={templates}>
      {(all) => (
        <Frame
          {...{ busy, problem }}
          ready={chosen !== null && nameState(name, taken) === 'ok'}
          begun={chosen !== null && name !== freeName(chosen.id, taken)}
          onSubmit={() => {
            if (chosen) make(() => api.post<Agent>(agentApi(name.trim()), chosen.agent))
          }}
        >
          <fieldset class="templates">
            <legend>{t('chooseTemplate')}</legend>
            {all.map((template) => (
              <label key={template.id} class="template" lang="en" dir="ltr">
                <input
                  type="radio"
                  name="template"
                  checked={template.id === chosen?.id}
                  onChange={() => choose(template)}
                />
                <span>
                  <strong>{template.name}</strong>
                  <span class="muted small">{template.description}</span>
                </span>
              </label>
            ))}
          </fieldset>
          {chosen && (
            <>
              <div class="template-sets stack">
                <p class="muted small">{t('templateSets')}</p>
                <p lang="en" dir="ltr">
                  {chosen.agent.task}
                </p>
                <div class="row">
                  {SWITCHES.filter((key) => chosen.agent[key]).map((key) => (
                    <Badge key={key} tone="quiet">
                      {t(key)}
                    </Badge>
                  ))}
                </div>
              </div>
              <NameInput {...{ name, taken }} onInput={setName} />
            </>
          )}
        </Frame>
      )}
    </Loadable>
  )
}

const SWITCHES = [
  'grounding_required',
  'public_sources',
  'ambiguity_check',
  'deep_research',
  'auto_greeting',
  'auto_suggest',
  'ask_forms',
  'proactive_cta',
] as const

export function NewDescribed() {
  const t = useAgentWords()
  const api = useApi()
  const { make, busy, problem } = useMake()
  const [description, setDescription] = useState('')
  const needsModel = problem?.code === 'model_required'
  return (
    <Frame
      busy={busy}
      problem={needsModel ? null : problem}
      ready={description.trim().length >= 8}
      begun={description !== ''}
      action={t(busy ? 'drafting' : 'draftIt')}
      onSubmit={() => make(() => api.post<Agent>('/v1/agents/draft', { description }))}
    >
      <TextArea
        label={t('description')}
        hint={t('descriptionHint')}
        value={description}
        rows={7}
        maxLength={4000}
        count={4000}
        onInput={setDescription}
      />
      {needsModel && (
        <div role="alert">
          <Notice tone="warn">
            {t('modelRequired')} <Link to="/settings/privacy">{t('modelSettings')}</Link>
          </Notice>
        </div>
      )}
    </Frame>
  )
}

export function NewImported({ taken }: Props) {
  const t = useAgentWords()
  const api = useApi()
  const { make, busy, problem } = useMake()
  const [file, setFile] = useState<ReturnType<typeof readImport> | null>(null)
  const [name, setName] = useState('')
  const read = async ([given]: File[]) => {
    if (!given) return
    const found = readImport(await given.text())
    setFile(found)
    if (found.ok) setName(freeName(found.name, taken))
  }
  return (
    <Frame
      {...{ busy, problem }}
      ready={file?.ok === true && nameState(name, taken) === 'ok'}
      begun={file?.ok === true}
      action={t('import')}
      onSubmit={() => {
        if (file?.ok)
          make(() =>
            api.post<Agent>('/v1/agents/import', { ...file.body, override_name: name.trim() }),
          )
      }}
    >
      <FileField
        label={t('chooseFile')}
        hint={t('importHint')}
        accept=".json,application/json"
        onFiles={(files) => void read(files)}
      />
      {file?.ok === false && (
        <div role="alert">
          <Notice tone="bad">{t(`import_${file.reason}`)}</Notice>
        </div>
      )}
      {file?.ok && (
        <>
          <p class="muted small">{t('importFound', { name: file.name })}</p>
          <NameInput {...{ name, taken }} onInput={setName} />
        </>
      )}
    </Frame>
  )
}
