import { Fields, NumberField, SelectField, SwitchField, TextArea, TextField } from '../../../parts'
import { useShell } from '../../../words'
import { type Draft, isFormat1 } from '../../model/draft'
import { type Changes, patched } from '../../model/edits'
import type { Graph } from '../../types'
import { At } from '../at'
import { ConditionField } from '../condition-field'
import { useEditing, useErrors } from '../context'
import { KeyField } from '../key-field'
import { LinesField } from '../lines-field'
import { type PanelKey, usePanelWords } from './words'

/** The words of each field, as the API takes them; one it does not know is shown as it is. */
const CHOICES = {
  entry: { menu: 'entryMenu', offer: 'entryOffer', auto: 'entryAuto', closed: 'entryClosed' },
  enroll_trigger: {
    manual: 'triggerManual',
    first_contact: 'triggerFirst',
    new_chat: 'triggerChat',
    intent: 'triggerIntent',
  },
  user_visibility: { title: 'visTitle', hidden: 'visHidden', progress: 'visProgress' },
  on_complete: {
    return: 'endReturn',
    next: 'endNext',
    restart: 'endRestart',
    hold: 'endHold',
  },
  concurrency: {
    exclusive: 'conExclusive',
    interrupt: 'conInterrupt',
    parallel: 'conParallel',
  },
} as const satisfies Record<string, Record<string, PanelKey>>
const LABELS: Record<keyof typeof CHOICES, PanelKey> = {
  entry: 'entry',
  enroll_trigger: 'trigger',
  user_visibility: 'visibility',
  on_complete: 'onComplete',
  concurrency: 'concurrency',
}
const STORYLINE_KEY = /^[a-z][a-z0-9_-]{0,63}$/

export function SettingsPanel() {
  const t = usePanelWords()
  const shell = useShell()
  const { flow, around } = useEditing()
  const errorOf = useErrors()
  const { draft } = flow
  const set = (changes: Partial<Draft>) =>
    flow.edit(`settings.${Object.keys(changes).join()}`, (one) => ({ ...one, ...changes }))
  const refused = (field: string) =>
    flow.problem?.fields.find((one) => one.path === field)?.message ?? errorOf(`/${field}`)
  const choice = (field: keyof typeof CHOICES) => <Choice field={field} />
  const flag = (field: 'allow_exit' | 'show_profile' | 'allow_agent_enroll' | 'is_default') => ({
    checked: draft[field],
    onChange: (on: boolean) => set({ [field]: on }),
  })
  return (
    <div class="stack">
      <At path="/name">
        <TextField
          label={shell('name')}
          maxLength={200}
          value={draft.name}
          error={refused('name')}
          onInput={(name) => set({ name })}
        />
      </At>
      <At path="/display_name">
        <TextField
          label={t('displayName')}
          hint={t('displayNameHint')}
          maxLength={200}
          value={draft.display_name}
          error={refused('display_name')}
          onInput={(display_name) => set({ display_name })}
        />
      </At>
      <At path="/description">
        <TextArea
          label={shell('description')}
          hint={t('descriptionHint')}
          rows={2}
          maxLength={2000}
          value={draft.description}
          error={refused('description')}
          onInput={(description) => set({ description })}
        />
      </At>
      <Fields legend={t('howItStarts')}>
        {choice('entry')}
        {choice('enroll_trigger')}
        <SwitchField
          label={t('agentEnroll')}
          hint={t('agentEnrollHint')}
          {...flag('allow_agent_enroll')}
        />
        {isFormat1(draft.graph) && <Trigger />}
        <SwitchField label={t('isDefault')} hint={t('isDefaultHint')} {...flag('is_default')} />
        <At path="/position">
          <NumberField
            label={t('position')}
            hint={t('positionHint')}
            step={1}
            value={draft.position}
            error={refused('position')}
            onInput={(position) => position !== null && set({ position })}
          />
        </At>
      </Fields>
      <Fields legend={t('howItRuns')}>
        {choice('user_visibility')}
        <SwitchField label={t('allowExit')} hint={t('allowExitHint')} {...flag('allow_exit')} />
        <SwitchField
          label={t('showProfile')}
          hint={t('showProfileHint')}
          {...flag('show_profile')}
        />
        {choice('concurrency')}
        {isFormat1(draft.graph) && <GraphSettings />}
      </Fields>
      <Fields legend={t('howItEnds')}>
        {choice('on_complete')}
        <At path="/next_storyline_id">
          <SelectField
            label={t('nextStoryline')}
            value={draft.next_storyline_id ?? ''}
            options={[
              { value: '', label: shell('none') },
              ...around.siblings.map(({ id, name, agent_name }) => ({
                value: id,
                label: `${name} · ${agent_name}`,
              })),
              ...(draft.next_storyline_id === null ||
              around.siblings.some(({ id }) => id === draft.next_storyline_id)
                ? []
                : [{ value: draft.next_storyline_id, label: shell('notThere') }]),
            ]}
            error={errorOf('/next_storyline_id')}
            onChange={(id) => set({ next_storyline_id: id === '' ? null : id })}
          />
        </At>
      </Fields>
      <Fields legend={t('identity')} hint={t('identityHint')}>
        <At path="/agent_name">
          <SelectField
            label={t('agent')}
            value={draft.agent_name}
            options={(around.agents.includes(draft.agent_name)
              ? around.agents
              : [draft.agent_name, ...around.agents]
            ).map((value) => ({ value, label: value }))}
            error={refused('agent_name')}
            onChange={(agent_name) => set({ agent_name })}
          />
        </At>
        <KeyField
          label={t('key')}
          value={draft.key}
          pattern={STORYLINE_KEY}
          error={refused('key')}
          taken={() => false}
          onChange={(key) => set({ key })}
        />
      </Fields>
    </div>
  )
}

function Choice({ field }: { field: keyof typeof CHOICES }) {
  const t = usePanelWords()
  const { flow } = useEditing()
  const errorOf = useErrors()
  const words: Readonly<Record<string, PanelKey>> = CHOICES[field]
  const value = flow.draft[field]
  const options = Object.entries(words).map(([one, key]) => ({ value: one, label: t(key) }))
  return (
    <At path={`/${field}`}>
      <SelectField
        label={t(LABELS[field])}
        value={value}
        options={Object.hasOwn(words, value) ? options : [{ value, label: value }, ...options]}
        error={errorOf(`/${field}`)}
        onChange={(next) => flow.edit(null, (draft) => ({ ...draft, [field]: next }))}
      />
    </At>
  )
}

function Trigger() {
  const t = usePanelWords()
  const { flow } = useEditing()
  const errorOf = useErrors()
  const { trigger = {} } = flow.draft.graph
  const set = (changes: Changes<NonNullable<Graph['trigger']>>) =>
    flow.editGraph(`trigger.${Object.keys(changes).join()}`, (graph) => {
      const next = patched({ ...graph.trigger }, changes)
      return patched(graph, { trigger: Object.keys(next).length === 0 ? undefined : next })
    })
  const path = '/graph/trigger'
  return (
    <>
      <ConditionField
        label={t('triggerWhen')}
        hint={t('triggerWhenHint')}
        path={`${path}/when`}
        value={trigger.when}
        onChange={(when) => set({ when })}
      />
      <At path={`${path}/examples`}>
        <LinesField
          label={t('examples')}
          hint={t('examplesHint')}
          rows={3}
          value={trigger.examples}
          error={errorOf(`${path}/examples`)}
          onChange={(examples) => set({ examples })}
        />
      </At>
    </>
  )
}

function GraphSettings() {
  const t = usePanelWords()
  const { flow } = useEditing()
  const errorOf = useErrors()
  const { settings = {} } = flow.draft.graph
  const set = (changes: Changes<NonNullable<Graph['settings']>>) =>
    flow.editGraph(`graph.${Object.keys(changes).join()}`, (graph) => {
      const next = patched({ ...graph.settings }, changes)
      return patched(graph, { settings: Object.keys(next).length === 0 ? undefined : next })
    })
  const days = (field: 'stall_days' | 'offer_cooldown_days') => ({
    unit: t('days'),
    max: 365,
    value: settings[field] ?? null,
    error: errorOf(`/graph/settings/${field}`),
    onInput: (value: number | null) => set({ [field]: value ?? undefined }),
  })
  return (
    <>
      <At path="/graph/settings/digression">
        <SelectField
          label={t('digression')}
          value={settings.digression ?? 'answer'}
          options={[
            { value: 'answer', label: t('digressionAnswer') },
            { value: 'steer', label: t('digressionSteer') },
          ]}
          onChange={(value) => set({ digression: value === 'answer' ? undefined : value })}
        />
      </At>
      <At path="/graph/settings/stall_days">
        <NumberField
          label={t('stallDays')}
          hint={t('stallDaysHint')}
          min={1}
          placeholder="14"
          {...days('stall_days')}
        />
      </At>
      <At path="/graph/settings/offer_cooldown_days">
        <NumberField
          label={t('cooldownDays')}
          hint={t('cooldownDaysHint')}
          min={0}
          placeholder="30"
          {...days('offer_cooldown_days')}
        />
      </At>
    </>
  )
}
