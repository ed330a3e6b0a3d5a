import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Button,
  CallThisApi,
  ConfirmDialog,
  Dialog,
  Menu,
  Problem,
  TextField,
  useToast,
} from '../parts'
import { navigate, to } from '../router'
import { useAct } from '../use-load'
import { useShell } from '../words'
import { nameOf, typedName } from './names'
import type { Detail } from './types'
import { usePeople } from './words'

/** What can be done to a user: a new password, and to be erased. */
export function UserActions({ user, shown }: { user: Detail; shown: string }) {
  const t = usePeople()
  const shell = useShell()
  const api = useApi()
  const toast = useToast()
  const [asked, setAsked] = useState<'password' | 'erase' | null>(null)
  const path = to`/v1/manage/users/${user.id}`
  const close = () => setAsked(null)
  const counted = [
    ['lostSpaces', user.space_count],
    ['lostChats', user.session_count],
    ['lostDocuments', user.document_count],
  ] as const
  const lost = [
    ...counted.flatMap(([key, n]) => (n > 0 ? [t(key, { n })] : [])),
    t('lostMemories'),
    t('lostAccount'),
  ]
  const erase = async () => {
    await api.del(path)
    toast(t('erased'))
    navigate('/users', { replace: true })
  }
  return (
    <>
      <CallThisApi method="GET" path={shown} />
      <Menu
        label={shell('actions')}
        items={[
          ...(user.auth === 'email'
            ? [{ label: t('setPassword'), act: () => setAsked('password') }]
            : []),
          { label: t('erase'), icon: 'trash' as const, danger: true, act: () => setAsked('erase') },
        ]}
      />
      {asked === 'password' && <PasswordDialog path={path} onClose={close} />}
      {asked === 'erase' && (
        <ConfirmDialog
          title={t('eraseTitle', { name: nameOf(user) })}
          text={t('eraseText')}
          lost={lost}
          typed={typedName(user)}
          confirm={t('erase')}
          danger
          onConfirm={erase}
          onClose={close}
        />
      )}
    </>
  )
}

function PasswordDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const t = usePeople()
  const shell = useShell()
  const api = useApi()
  const toast = useToast()
  const setting = useAct()
  const [password, setPassword] = useState('')
  const fault = setting.problem?.fields.find((one) => one.path === 'new_password')?.message ?? null
  const set = () =>
    setting.act(async () => {
      await api.post(`${path}/password`, { new_password: password })
      toast(t('passwordSet'))
      onClose()
    })
  return (
    <Dialog title={t('setPassword')} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void set()
        }}
      >
        <p>{t('passwordText')}</p>
        <TextField
          label={t('newPassword')}
          type="password"
          value={password}
          onInput={setPassword}
          maxLength={256}
          autocomplete="new-password"
          hint={t('passwordHint')}
          error={fault}
        />
        <Problem of={fault === null ? setting.problem : null} />
        <div class="row at-end">
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button kind="primary" type="submit" busy={setting.busy} disabled={password === ''}>
            {t('setPassword')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
