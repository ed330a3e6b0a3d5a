import { useApi } from '../api/call'
import {
  Badge,
  Button,
  Empty,
  Problem,
  RadioGroup,
  SwitchField,
  Table,
  useEditor,
  useToast,
} from '../parts'
import { useGuard } from '../router'
import { useShell } from '../words'
import { serverApi } from './addresses'
import type { Server } from './server'
import { useMcpWords } from './words'

interface ServerToolsProps {
  server: Server
  busy: boolean
  onAccept: () => void
  onSaved: (server: Server) => void
}

/** The tools of a server: those in use, with which of them ask the user first, and those that wait to be accepted. */
export function ServerTools({ server, busy, onAccept, onSaved }: ServerToolsProps) {
  const t = useMcpWords()
  return (
    <>
      {server.pending.length > 0 && <Pending server={server} busy={busy} onAccept={onAccept} />}
      <section class="stack" aria-labelledby="tools">
        <h2 id="tools">{t('toolsInUse')}</h2>
        {server.tools.length === 0 ? (
          <Empty
            title={t('noTools')}
            text={t(
              server.last_checked_at === null
                ? 'notChecked'
                : server.status === 'failed'
                  ? 'noToolsFailed'
                  : 'noToolsText',
            )}
          />
        ) : (
          <InUse server={server} onSaved={onSaved} />
        )}
      </section>
    </>
  )
}

function Pending({ server, busy, onAccept }: Omit<ServerToolsProps, 'onSaved'>) {
  const t = useMcpWords()
  return (
    <section class="card stack" aria-labelledby="pending">
      <h2 id="pending">{t('pending')}</h2>
      <p class="muted">{t('pendingText')}</p>
      <Table
        caption={t('pending')}
        rows={server.pending}
        keyOf={({ name }) => name}
        columns={[
          {
            key: 'name',
            label: t('tool'),
            primary: true,
            cell: ({ name }) => <code dir="ltr">{name}</code>,
          },
          {
            key: 'change',
            label: t('change'),
            cell: ({ change }) => (
              <Badge tone={change === 'changed' ? 'warn' : 'info'}>{t(`change_${change}`)}</Badge>
            ),
          },
          {
            key: 'description',
            label: t('toolDescription'),
            cell: ({ description }) => <bdi class="tool-told">{description}</bdi>,
          },
        ]}
      />
      <div>
        <Button kind="primary" busy={busy} icon="check" onClick={onAccept}>
          {t('accept', { n: server.pending.length })}
        </Button>
      </div>
    </section>
  )
}

type Mode = 'none' | 'all' | 'some'

interface Asking {
  mode: Mode
  tools: string[]
}

const askingOf = ({ confirm }: Server): Asking =>
  confirm === 'all'
    ? { mode: 'all', tools: [] }
    : { mode: confirm.length > 0 ? 'some' : 'none', tools: [...confirm].sort() }

const confirmOf = ({ mode, tools }: Asking) =>
  mode === 'all' ? 'all' : mode === 'some' ? tools : []

function InUse({ server, onSaved }: Pick<ServerToolsProps, 'server' | 'onSaved'>) {
  const t = useMcpWords()
  const shell = useShell()
  const say = useToast()
  const api = useApi()
  const editor = useEditor(askingOf(server), async (draft) => {
    const saved = await api.patch<Server>(serverApi(server.id), { confirm: confirmOf(draft) })
    onSaved(saved)
    return askingOf(saved)
  })
  const { draft, set } = editor
  useGuard(editor.dirty)
  const save = async () => {
    if (await editor.save()) say(t('confirmSaved'))
  }
  const asks = (name: string) =>
    draft.mode === 'all' || (draft.mode === 'some' && draft.tools.includes(name))
  const toggle = (name: string, isOn: boolean) =>
    set('tools', isOn ? [...draft.tools, name].sort() : draft.tools.filter((one) => one !== name))
  const unknown = draft.tools.filter((name) => !server.tools.some((tool) => tool.name === name))
  return (
    <>
      <RadioGroup
        label={t('confirm')}
        value={draft.mode}
        options={[
          { value: 'none', label: t('confirmNone'), hint: t('confirmNoneHint') },
          { value: 'some', label: t('confirmSome') },
          { value: 'all', label: t('confirmAll') },
        ]}
        onChange={(mode) => set('mode', mode)}
      />
      <Table
        caption={t('toolsInUse')}
        rows={[
          ...server.tools,
          ...unknown.map((name) => ({ name, description: t('unknownTool') })),
        ]}
        keyOf={({ name }) => name}
        columns={[
          {
            key: 'name',
            label: t('tool'),
            primary: true,
            cell: ({ name }) => <code dir="ltr">{name}</code>,
          },
          {
            key: 'description',
            label: t('toolDescription'),
            cell: ({ description }) => <bdi class="tool-told">{description}</bdi>,
          },
          {
            key: 'confirm',
            label: t('asksFirst'),
            cell: ({ name }) => (
              <SwitchField
                label={t('asksFirstTool', { name })}
                bare
                checked={asks(name)}
                disabled={draft.mode !== 'some'}
                onChange={(isOn) => toggle(name, isOn)}
              />
            ),
          },
        ]}
      />
      {editor.dirty && (
        <div class="row">
          <Button kind="primary" busy={editor.saving} onClick={() => void save()}>
            {shell('save')}
          </Button>
          <Button onClick={editor.discard}>{shell('discard')}</Button>
        </div>
      )}
      <Problem of={editor.problem} />
    </>
  )
}
