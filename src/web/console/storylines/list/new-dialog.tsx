import { useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import {
  Button,
  Dialog,
  Notice,
  Problem,
  Segmented,
  SelectField,
  TextArea,
  TextField,
} from '../../parts'
import { unlessShown } from '../../parts/field-error'
import { navigate, to } from '../../router'
import { useAct } from '../../use-load'
import { useShell } from '../../words'
import { blankGraph } from '../model/edits'
import { keyOf } from '../model/keys'
import type { Storyline } from '../types'
import { useListWords } from './words'

interface Props {
  agents: readonly string[]
  agent: string
  onClose: () => void
}

/** A storyline from nothing, or as the agent's model drafts it for a goal. */
export function NewDialog({ agents, agent, onClose }: Props) {
  const t = useListWords()
  const shell = useShell()
  const api = useApi()
  const [way, setWay] = useState<'blank' | 'goal'>('blank')
  const [picked, setOf] = useState(agent)
  // The agents may come after the dialog.
  const of = picked || (agents[0] ?? '')
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | null>(null)
  const [goal, setGoal] = useState('')
  const { busy, problem, act } = useAct()
  const shownKey = key ?? keyOf(name, 'storyline')
  const fieldError = (path: string) =>
    problem?.fields.find((one) => one.path === path)?.message ?? null
  const ready = of !== '' && (way === 'blank' ? name.trim() !== '' : goal.trim().length >= 8)
  const create = () =>
    void act(async () => {
      const made =
        way === 'goal'
          ? await api.post<Storyline>('/v1/storylines/draft', { agent_name: of, goal })
          : await api.post<Storyline>('/v1/storylines', {
              agent_name: of,
              key: shownKey,
              name: name.trim(),
              graph: blankGraph(),
              profile_schema: { type: 'object', properties: {} },
            })
      navigate(to`/storylines/${made.id}`)
    })
  return (
    <Dialog
      title={t('newStoryline')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button kind="primary" busy={busy} disabled={!ready} onClick={create}>
            {t(way === 'goal' ? 'haveDrafted' : 'createIt')}
          </Button>
        </>
      }
    >
      {agents.length === 0 && <Notice tone="info">{t('noAgents')}</Notice>}
      <Segmented
        label={t('howToBegin')}
        value={way}
        options={[
          { value: 'blank', label: t('blank') },
          { value: 'goal', label: t('fromGoal') },
        ]}
        onChange={setWay}
      />
      <SelectField
        label={t('agent')}
        value={of}
        options={agents.map((value) => ({ value, label: value }))}
        error={fieldError('agent_name')}
        onChange={setOf}
      />
      {way === 'blank' ? (
        <>
          <TextField
            label={shell('name')}
            maxLength={200}
            value={name}
            error={fieldError('name')}
            onInput={setName}
          />
          <TextField
            label={t('key')}
            hint={t('storylineKeyHint')}
            mono
            maxLength={64}
            value={shownKey}
            error={fieldError('key')}
            onInput={setKey}
          />
        </>
      ) : (
        <TextArea
          label={t('draftGoal')}
          hint={t('draftGoalHint')}
          rows={5}
          count={4000}
          maxLength={4000}
          value={goal}
          error={fieldError('goal')}
          onInput={setGoal}
        />
      )}
      {problem?.code === 'model_required' ? (
        <Notice tone="warn">{t('modelRequired')}</Notice>
      ) : (
        <Problem of={unlessShown(problem, ['agent_name', 'name', 'key', 'goal'])} />
      )}
    </Dialog>
  )
}
