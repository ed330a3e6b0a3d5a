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
  Said,
  TextArea,
  TextField,
  useToast,
} from '../parts'
import { Link, navigate } from '../router'
import { useAct, useLoad } from '../use-load'
import { freeName, NAME_LENGTH, nameState } from './name-state'
import { agentApi, agentPath } from './paths'
import { readImport } from './read-import'
import type { Agent, Template } from './types'
import { useAgentWords } from './words'

export interface NewDraft {
  name: string
  /** The name was typed, and not only proposed. */
  isNamed: boolean
  task: string
  template: Template | null
  description: string
  file: ReturnType<typeof readImport> | null
}

export const NOTHING_YET: NewDraft = {
  name: '',
  isNamed: false,
  task: '',
  template: null,
  description: '',
  file: null,
}

/** Something was written or chosen that leaving would lose. */
export const isBegun = ({ isNamed, name, task, description, file }: NewDraft): boolean =>
  (isNamed && name !== '') || task !== '' || description !== '' || file?.ok === true

interface Props {
  /** Names of the agents that there are. */
  taken: readonly string[]
  draft: NewDraft
  set: (changes: Partial<NewDraft>) => void
}

/** A name proposed where none was typed. */
const proposed = ({ isNamed, name }: NewDraft, wish: string, taken: readonly string[]) =>
  isNamed && name !== '' ? {} : { name: freeName(wish, taken), isNamed: false }

interface FrameProps {
  problem: ReturnType<typeof useAct>['problem']
  busy: boolean
  ready: boolean
  action?: string
  onSubmit: () => void
  children: ComponentChildren
}

function Frame({ problem, busy, ready, action, onSubmit, children }: FrameProps) {
  const t = useAgentWords()
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

function NameInput({ draft: { name }, taken, set }: Props) {
  const t = useAgentWords()
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
        set({ name: value, isNamed: true })
      }}
    />
  )
}

export function NewBlank(props: Props) {
  const { taken, draft, set } = props
  const { name, task } = draft
  const t = useAgentWords()
  const api = useApi()
  const { make, busy, problem } = useMake()
  return (
    <Frame
      {...{ busy, problem }}
      ready={nameState(name, taken) === 'ok'}
      onSubmit={() => make(() => api.post<Agent>(agentApi(name.trim()), { task }))}
    >
      <NameInput {...props} />
      <TextArea
        optional
        label={t('task')}
        hint={t('taskHint')}
        value={task}
        rows={5}
        maxLength={20_000}
        onInput={(text) => set({ task: text })}
      />
    </Frame>
  )
}

export function NewFromTemplate(props: Props) {
  const { taken, draft, set } = props
  const { name, template: chosen } = draft
  const t = useAgentWords()
  const api = useApi()
  const { make, busy, problem } = useMake()
  const templates = useLoad(
    (calls, signal) => calls.get<Template[]>('/v1/agents/templates', {}, signal),
    [],
  )
  const choose = (template: Template) => set({ template, ...proposed(draft, template.id, taken) })
  return (
    <Loadable of={templates}>
      {(all) => (
        <Frame
          {...{ busy, problem }}
          ready={chosen !== null && nameState(name, taken) === 'ok'}
          onSubmit={() => {
            if (chosen) make(() => api.post<Agent>(agentApi(name.trim()), chosen.agent))
          }}
        >
          <fieldset class="templates">
            <legend>{t('chooseTemplate')}</legend>
            {all.map((template) => (
              <label key={template.id} class="template">
                <input
                  type="radio"
                  name="template"
                  checked={template.id === chosen?.id}
                  onChange={() => choose(template)}
                />
                <span>
                  <strong>
                    <Said text={template.name} />
                  </strong>
                  <span class="muted small">
                    <Said text={template.description} />
                  </span>
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
              <NameInput {...props} />
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

export function NewDescribed({ draft: { description }, set }: Props) {
  const t = useAgentWords()
  const api = useApi()
  const { make, busy, problem } = useMake()
  const needsModel = problem?.code === 'model_required'
  return (
    <Frame
      busy={busy}
      problem={needsModel ? null : problem}
      ready={description.trim().length >= 8}
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
        onInput={(text) => set({ description: text })}
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

export function NewImported(props: Props) {
  const { taken, draft, set } = props
  const { name, file } = draft
  const t = useAgentWords()
  const api = useApi()
  const { make, busy, problem } = useMake()
  const read = async ([given]: File[]) => {
    if (!given) return
    const found = readImport(await given.text())
    set({ file: found, ...(found.ok ? proposed(draft, found.name, taken) : {}) })
  }
  return (
    <Frame
      {...{ busy, problem }}
      ready={file?.ok === true && nameState(name, taken) === 'ok'}
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
          <NameInput {...props} />
        </>
      )}
    </Frame>
  )
}
