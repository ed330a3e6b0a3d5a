import { Badge, Button, SelectField, TextArea, TextField } from '../../parts'
import { useShell } from '../../words'
import { type Changes, exitsOf, type Owner, removeExit, setExit } from '../model/edits'
import { KEY } from '../model/keys'
import { NODE_RULES } from '../model/node-rules'
import { exitPath } from '../model/problems'
import type { Exit, ExitEvent } from '../types'
import { AssignField } from './assign-field'
import { At } from './at'
import { ConditionField } from './condition-field'
import { useEditing, useErrors } from './context'
import { EVENT_WORDS } from './exit-rows'
import { KeyField } from './key-field'
import { useFlowWords } from './words'

/** Every field of an exit. */
export function ExitInspector({ owner, index }: { owner: Owner; index: number }) {
  const t = useFlowWords()
  const shell = useShell()
  const { flow, select } = useEditing()
  const errorOf = useErrors()
  const { graph } = flow.draft
  const exits = exitsOf(graph, owner)
  const exit = exits[index]
  if (!exit) return null
  const node = owner === null ? undefined : graph.nodes[owner]
  const rule = node ? NODE_RULES[node.type] : null
  const path = exitPath(owner, index)
  const set = (changes: Changes<Exit>) =>
    flow.editGraph(`${owner}.${index}.${Object.keys(changes).join()}`, (one) =>
      setExit(one, owner, index, changes),
    )
  const events: readonly ExitEvent[] = rule?.events ?? []
  const shown = exit.on !== undefined && !events.includes(exit.on) ? [exit.on, ...events] : events
  const titleOf = (key: string) => graph.nodes[key]?.title ?? key
  return (
    <div class="stack">
      <Button
        small
        kind="quiet"
        icon="back"
        onClick={() =>
          select(owner === null ? { kind: 'everywhere' } : { kind: 'node', key: owner })
        }
      >
        {owner === null ? t('everywhere') : titleOf(owner)}
      </Button>
      <At path={`${path}/to`}>
        <SelectField
          label={t('leadsTo')}
          value={exit.to}
          options={[
            ...(Object.hasOwn(graph.nodes, exit.to) ? [] : [{ value: exit.to, label: exit.to }]),
            ...Object.keys(graph.nodes).map((key) => ({ value: key, label: titleOf(key) })),
          ]}
          error={errorOf(`${path}/to`)}
          onChange={(to) => set({ to })}
        />
      </At>
      <p class="hint">{t('exitHolds')}</p>
      {shown.length > 0 && (
        <At path={`${path}/on`}>
          <SelectField
            label={t('onEvent')}
            value={exit.on ?? ''}
            options={[
              { value: '', label: t('anyEvent') },
              ...shown.map((event) => ({ value: event, label: t(EVENT_WORDS[event]) })),
            ]}
            error={errorOf(`${path}/on`)}
            onChange={(on) => set({ on: on === '' ? undefined : on })}
          />
        </At>
      )}
      <ConditionField
        label={t('when')}
        path={`${path}/when`}
        value={exit.when}
        onChange={(when) => set({ when })}
      />
      {(rule === null || rule.mayJudge || exit.judge !== undefined) && (
        <At path={`${path}/judge`}>
          <TextArea
            label={t('judge')}
            optional
            rows={2}
            count={300}
            maxLength={300}
            hint={
              <>
                <Badge tone="info">{t('judged')}</Badge> {t('judgeHint')}
              </>
            }
            value={exit.judge ?? ''}
            error={errorOf(`${path}/judge`)}
            onInput={(judge) => set({ judge: judge === '' ? undefined : judge })}
          />
        </At>
      )}
      <AssignField
        legend={t('setOnExit')}
        hint={t('setHint')}
        path={`${path}/set`}
        value={exit.set}
        onChange={(value) => set({ set: value })}
      />
      <details class="more-fields">
        <summary>{t('moreFields')}</summary>
        <div class="stack">
          <TextField
            label={t('exitLabel')}
            optional
            maxLength={80}
            value={exit.label ?? ''}
            onInput={(label) => set({ label: label === '' ? undefined : label })}
          />
          <KeyField
            label={t('key')}
            value={exit.id}
            pattern={KEY}
            error={errorOf(`${path}/id`)}
            taken={(id) => exits.some((one) => one.id === id)}
            onChange={(id) => set({ id })}
          />
        </div>
      </details>
      <div class="row">
        <Button
          small
          kind="danger"
          icon="trash"
          onClick={() => {
            flow.editGraph(null, (one) => removeExit(one, owner, index))
            select(owner === null ? { kind: 'everywhere' } : { kind: 'node', key: owner })
          }}
        >
          {shell('delete')}
        </Button>
      </div>
      {errorOf(path) && <p class="error">{errorOf(path)}</p>}
    </div>
  )
}
