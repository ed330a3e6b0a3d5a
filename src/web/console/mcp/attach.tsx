import { useState } from 'preact/hooks'
import { agentPath } from '../agents/paths'
import { useApi } from '../api/call'
import {
  Badge,
  Button,
  CheckList,
  Dialog,
  Empty,
  Problem,
  RadioGroup,
  Table,
  useToast,
} from '../parts'
import { to } from '../router'
import { skillApi, skillScreen } from '../skills/addresses'
import { useAct } from '../use-load'
import { useFormat, useShell } from '../words'
import { changeOf, type Holder, type Server, type Share, shareOf } from './server'
import { useMcpWords } from './words'

interface AttachProps {
  server: Server
  holders: readonly Holder[]
  onChanged: () => void
}

/** Who has tools of the server, and the way to give them. */
export function Attach({ server, holders, onChanged }: AttachProps) {
  const t = useMcpWords()
  const shell = useShell()
  const format = useFormat()
  const [open, setOpen] = useState<Holder | null>(null)
  const words = (share: Share) =>
    share.kind === 'some' ? format.list(share.tools) : t(`share_${share.kind}`)
  return (
    <section class="stack" aria-labelledby="attach">
      <h2 id="attach">{t('attach')}</h2>
      <p class="muted">{t('attachText')}</p>
      {holders.length === 0 ? (
        <Empty title={t('noHolders')} text={t('noHoldersText')} />
      ) : (
        <Table
          caption={t('attach')}
          rows={holders}
          keyOf={({ kind, name }) => `${kind}/${name}`}
          to={({ kind, name }) => (kind === 'agents' ? agentPath(name) : skillScreen(name))}
          columns={[
            { key: 'name', label: shell('name'), primary: true, cell: ({ name }) => name },
            { key: 'kind', label: t('kind'), cell: ({ kind }) => t(`kind_${kind}`) },
            {
              key: 'share',
              label: t('tools'),
              cell: ({ tools }) => {
                const share = shareOf(tools, server.name)
                return share.kind === 'none' ? (
                  <span class="muted">{words(share)}</span>
                ) : (
                  <Badge tone="ok">{words(share)}</Badge>
                )
              },
            },
            {
              key: 'act',
              label: shell('actions'),
              quiet: true,
              numeric: true,
              cell: (holder) =>
                holder.isSystem ? (
                  <span class="muted small">{t('system')}</span>
                ) : (
                  <Button
                    small
                    label={t('chooseFor', { name: holder.name })}
                    onClick={() => setOpen(holder)}
                  >
                    {t('choose')}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {open && (
        <ChooseTools
          server={server}
          holder={open}
          onChanged={onChanged}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  )
}

interface ChooseToolsProps {
  server: Server
  holder: Holder
  onChanged: () => void
  onClose: () => void
}

function ChooseTools({ server, holder, onChanged, onClose }: ChooseToolsProps) {
  const t = useMcpWords()
  const shell = useShell()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const before = shareOf(holder.tools, server.name)
  const [kind, setKind] = useState(before.kind)
  const [tools, setTools] = useState(before.kind === 'some' ? before.tools : [])
  const isEmpty = kind === 'some' && tools.length === 0
  const save = async () => {
    const wanted: Share = kind === 'some' ? { kind, tools } : { kind }
    const path = holder.kind === 'agents' ? to`/v1/agents/${holder.name}` : skillApi(holder.name)
    const isDone = await act(async () => {
      await api.patch(path, changeOf(holder.tools, server.name, wanted))
    })
    if (!isDone) return
    say(t('attached', { name: holder.name }))
    onChanged()
    onClose()
  }
  return (
    <Dialog
      title={t('chooseFor', { name: holder.name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button kind="primary" busy={busy} disabled={isEmpty} onClick={() => void save()}>
            {shell('save')}
          </Button>
        </>
      }
    >
      <RadioGroup
        label={t('toolsOf', { name: server.name })}
        value={kind}
        options={[
          { value: 'none', label: t('share_none') },
          { value: 'all', label: t('share_all'), hint: t('allHint') },
          { value: 'some', label: t('share_some'), disabled: server.tools.length === 0 },
        ]}
        onChange={setKind}
      />
      {kind === 'some' && (
        <CheckList
          label={t('tools')}
          options={server.tools.map(({ name, description }) => ({
            value: name,
            label: name,
            hint: description,
          }))}
          value={tools}
          onChange={setTools}
        />
      )}
      <Problem of={problem} />
    </Dialog>
  )
}
