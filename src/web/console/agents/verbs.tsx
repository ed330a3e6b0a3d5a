import { useEffect, useState } from 'preact/hooks'
import { type Api, useApi } from '../api/call'
import { Button, ConfirmDialog, Dialog, Problem, TextField, useToast } from '../parts'
import { saveFile } from '../parts/save-file'
import { navigate } from '../router'
import { useAct, useLoad } from '../use-load'
import { useFormat, useShell } from '../words'
import { nameState } from './name-state'
import { agentApi, agentPath } from './paths'
import type { Agent, AgentRow } from './types'
import { useAgentWords } from './words'

export type AgentVerb = 'rename' | 'clone' | 'export' | 'unpublish' | 'delete'

interface Props {
  verb: AgentVerb
  name: string
  alias: string | null
  published: boolean
  onClose: () => void
  onGone: () => void
  onStored: (agent: Agent) => void
}

/** What is done to an agent as a whole, each in its dialog. */
export function AgentVerbs(props: Props) {
  switch (props.verb) {
    case 'rename':
    case 'clone':
      return <NameDialog key={props.verb} {...props} verb={props.verb} />
    case 'export':
      return <ExportNow {...props} />
    case 'unpublish':
      return <UnpublishDialog {...props} />
    case 'delete':
      return <DeleteDialog {...props} />
  }
}

/** A copy and another name: both ask for a name. */
function NameDialog(props: Props & { verb: 'rename' | 'clone' }) {
  const { verb, name, onClose, onStored } = props
  const t = useAgentWords()
  const shell = useShell()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const agents = useLoad((calls, signal) => calls.get<AgentRow[]>('/v1/agents', {}, signal), [])
  const taken = (agents.data ?? []).map((row) => row.name)
  const [written, setWritten] = useState(verb === 'rename' ? name : '')
  const state = nameState(written, taken)
  const isSame = verb === 'rename' && written.trim() === name
  // A copy without a name gets one.
  const isReady = !isSame && (state === 'ok' || (verb === 'clone' && state === 'empty'))
  const go = () =>
    act(async () => {
      const wanted = written.trim()
      const stored =
        verb === 'rename'
          ? await api.patch<Agent>(agentApi(name), { name: wanted })
          : await api.post<Agent>(`${agentApi(name)}/clone`, wanted === '' ? {} : { name: wanted })
      say(t(verb === 'rename' ? 'nowRenamed' : 'nowCloned', { name: stored.name }))
      onClose()
      onStored(stored)
      navigate(agentPath(stored.name), { replace: verb === 'rename' })
    })
  return (
    <Dialog
      title={t(verb === 'rename' ? 'renameTitle' : 'cloneTitle', { name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button kind="primary" busy={busy} disabled={!isReady} onClick={() => void go()}>
            {t(verb)}
          </Button>
        </>
      }
    >
      <p>{t(verb === 'rename' ? 'renameText' : 'cloneText')}</p>
      <TextField
        label={t('name')}
        optional={verb === 'clone'}
        value={written}
        maxLength={64}
        placeholder={verb === 'clone' ? `${name}-copy` : undefined}
        error={
          state === 'ok' || isSame || (verb === 'clone' && state === 'empty')
            ? null
            : t(`name_${state}`)
        }
        onInput={setWritten}
      />
      <Problem of={problem} />
    </Dialog>
  )
}

function UnpublishDialog({ name, alias, onClose, onStored }: Props) {
  const t = useAgentWords()
  const api = useApi()
  const say = useToast()
  return (
    <ConfirmDialog
      title={t('unpublishTitle', { name })}
      text={t('unpublishText')}
      lost={alias === null ? [t('lostWidget')] : [t('lostPage', { alias }), t('lostWidget')]}
      confirm={t('unpublish')}
      onClose={onClose}
      onConfirm={async () => {
        const stored = await api.patch<Agent>(agentApi(name), { published: false })
        say(t('nowUnpublished', { name }))
        onStored(stored)
      }}
    />
  )
}

function DeleteDialog({ name, alias, onClose, onGone }: Props) {
  const t = useAgentWords()
  const api = useApi()
  const say = useToast()
  const format = useFormat()
  const storylines = useLoad(
    (calls, signal) =>
      calls.get<{ name: string; display_name: string }[]>(
        '/v1/storylines',
        { agent: name },
        signal,
      ),
    [name],
  )
  const told = storylines.data ?? []
  return (
    <ConfirmDialog
      danger
      title={t('deleteTitle', { name })}
      text={t('deleteText')}
      lost={[
        t('lostConfig'),
        ...(alias === null ? [] : [t('lostPage', { alias })]),
        t('lostWidget'),
        ...(told.length === 0
          ? []
          : [
              t('lostStorylines', {
                n: told.length,
                names: format.list(told.map((one) => one.display_name || one.name)),
              }),
            ]),
      ]}
      confirm={t('delete')}
      onClose={onClose}
      onConfirm={async () => {
        await api.del(agentApi(name))
        say(t('nowDeleted', { name }))
        onGone()
      }}
    />
  )
}

/** Needs no question: it fetches the file, and says what went wrong where it did. */
function ExportNow({ name, onClose }: Props) {
  const t = useAgentWords()
  const api = useApi()
  const { problem, act } = useAct()
  useEffect(() => {
    void act(() => exportAgent(api, name)).then((done) => {
      if (done) onClose()
    })
  }, [])
  return problem === null ? null : (
    <Dialog title={t('export')} onClose={onClose}>
      <Problem of={problem} />
    </Dialog>
  )
}

async function exportAgent(api: Api, name: string): Promise<void> {
  const exported = await api.get<object>(`${agentApi(name)}/export`)
  saveFile(`${name}.agent.json`, `${JSON.stringify(exported, null, 2)}\n`, 'application/json')
}
