import { useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import { Button, Dialog, FileField, Notice, Problem, SelectField } from '../../parts'
import { navigate, to } from '../../router'
import { useAct } from '../../use-load'
import { useShell } from '../../words'
import type { Storyline } from '../types'
import { useListWords } from './words'

interface Props {
  agents: readonly string[]
  agent: string
  onClose: () => void
}

/** A draft from an export. */
export function ImportDialog({ agents, agent, onClose }: Props) {
  const t = useListWords()
  const shell = useShell()
  const api = useApi()
  const [file, setFile] = useState<{ name: string; body: Record<string, unknown> } | null>(null)
  const [wrong, setWrong] = useState<'notJson' | 'notStoryline' | null>(null)
  const [of, setOf] = useState(agent)
  const { busy, problem, act } = useAct()
  const read = async ([chosen]: File[]) => {
    setFile(null)
    setWrong(null)
    try {
      const body = JSON.parse((await chosen?.text()) ?? '') as unknown
      if (isStoryline(body)) setFile({ name: chosen?.name ?? '', body })
      else setWrong('notStoryline')
    } catch {
      setWrong('notJson')
    }
  }
  const go = () =>
    void act(async () => {
      const body = { ...file?.body, ...(of === '' ? {} : { override_agent_name: of }) }
      const made = await api.post<Storyline>('/v1/storylines/import', body)
      navigate(to`/storylines/${made.id}`)
    })
  const named = file?.body.agent_name
  return (
    <Dialog
      title={t('importTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button kind="primary" busy={busy} disabled={file === null} onClick={go}>
            {t('import')}
          </Button>
        </>
      }
    >
      <p>{t('importText')}</p>
      <FileField
        label={t('chooseFile')}
        accept=".json,application/json"
        onFiles={(files) => void read(files)}
      />
      {file && (
        <p>
          <bdi>{file.name}</bdi>
        </p>
      )}
      {wrong && <Notice tone="bad">{t(wrong)}</Notice>}
      <SelectField
        label={t('agent')}
        value={of}
        options={[
          {
            value: '',
            label: typeof named === 'string' ? t('asInFile', { name: named }) : t('asInFileNone'),
          },
          ...agents.map((value) => ({ value, label: value })),
        ]}
        onChange={setOf}
      />
      <Problem of={problem} />
    </Dialog>
  )
}

/** The API takes any object: of another file it would make a storyline in which nothing happens. */
function isStoryline(body: unknown): body is Record<string, unknown> {
  const { kind = 'storyline', graph } = (body ?? {}) as { kind?: unknown; graph?: unknown }
  return kind === 'storyline' && typeof graph === 'object' && graph !== null
}
