import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../ui/context'
import { AccountRefused, type Me, type Token } from './account-api'
import { Confirm, Said, Section, TextField, useAccount, useTask } from './parts'
import type { AccountKey } from './words'

/** Who signed in: the password, every other device, and the end of the account. */
export function SignInSection({ onDeleted }: { onDeleted: (receipt: string) => void }) {
  const { api, w } = useAccount()
  const { chat } = useApp()
  const task = useTask()
  const [me, setMe] = useState<Me | null>(null)
  const [isLeaving, leave] = useState(false)

  useEffect(() => {
    void task.run(async () => {
      setMe(await api.call<Me>('GET', '/me'))
      return null
    })
  }, [api])
  if (me === null) return null

  const signOut = () =>
    task.run(async () => {
      const { access_token } = await api.call<Token>('POST', '/me/sign-out-everywhere')
      chat.adopt(access_token)
      return 'signedOutElsewhere'
    })
  return (
    <Section title={w('signInTitle')}>
      {me.auth === 'email' && <PasswordForm />}
      {me.auth === 'email' && <EmailForm />}
      <p>{w('everywhereHint')}</p>
      <div class="row">
        <button
          type="button"
          class="button"
          aria-disabled={task.busy}
          onClick={() => task.busy || void signOut()}
        >
          {w('everywhere')}
        </button>
        <button
          type="button"
          class="button danger"
          aria-expanded={isLeaving}
          onClick={() => leave(!isLeaving)}
        >
          {w('deleteMe')}
        </button>
      </div>
      <Said task={task} />
      {isLeaving && <Leave me={me} onCancel={() => leave(false)} onDeleted={onDeleted} />}
    </Section>
  )
}

/** The field that a refusal is about, in the words for it. */
const wrongIn = (error: unknown, field: string): boolean =>
  error instanceof AccountRefused && error.fields.includes(field)

function PasswordForm() {
  const { api, w } = useAccount()
  const { chat } = useApp()
  const task = useTask()
  const [current, setCurrent] = useState('')
  const [fresh, setFresh] = useState('')
  const [wrong, setWrong] = useState<'current' | 'fresh' | null>(null)

  const save = () =>
    task.run(async () => {
      setWrong(null)
      try {
        const body = { current_password: current, new_password: fresh }
        const { access_token } = await api.call<Token>('POST', '/me/password', body)
        chat.adopt(access_token)
      } catch (error) {
        const isCurrent = wrongIn(error, 'current_password')
        if (!isCurrent && !wrongIn(error, 'new_password')) throw error
        setWrong(isCurrent ? 'current' : 'fresh')
        return null
      }
      setCurrent('')
      setFresh('')
      return 'passwordChanged'
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!task.busy) void save()
      }}
    >
      <TextField
        label={w('currentPassword')}
        type="password"
        autocomplete="current-password"
        value={current}
        onInput={setCurrent}
        error={wrong === 'current' ? w('passwordWrong') : null}
      />
      <TextField
        label={w('newPassword')}
        type="password"
        autocomplete="new-password"
        hint={w('passwordRule')}
        value={fresh}
        onInput={setFresh}
        error={wrong === 'fresh' ? w('passwordRule') : null}
      />
      <div class="row">
        <button type="submit" class="button" aria-disabled={task.busy}>
          {w('changePassword')}
        </button>
      </div>
      <Said task={task} />
    </form>
  )
}

/** Another address: it takes the place of the present one when the link that is sent to it is opened. */
function EmailForm() {
  const { api, w } = useAccount()
  const task = useTask()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<'email' | 'password' | null>(null)

  const save = () =>
    task.run(async () => {
      setWrong(null)
      try {
        await api.call('POST', '/me/email', { email, password })
      } catch (error) {
        const isEmail = wrongIn(error, 'email')
        if (!isEmail && !wrongIn(error, 'password')) throw error
        setWrong(isEmail ? 'email' : 'password')
        return null
      }
      setPassword('')
      return 'emailAsked'
    })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!task.busy) void save()
      }}
    >
      <TextField
        label={w('newEmail')}
        type="email"
        autocomplete="email"
        value={email}
        onInput={setEmail}
        error={wrong === 'email' ? w('emailWrong') : null}
      />
      <TextField
        label={w('yourPassword')}
        type="password"
        autocomplete="current-password"
        value={password}
        onInput={setPassword}
        error={wrong === 'password' ? w('passwordWrong') : null}
      />
      <div class="row">
        <button type="submit" class="button" aria-disabled={task.busy}>
          {w('changeEmail')}
        </button>
      </div>
      <Said task={task} />
    </form>
  )
}

/** Deleting the account: a word is typed, and the password where there is one. */
function Leave(props: { me: Me; onCancel: () => void; onDeleted: (receipt: string) => void }) {
  const { api, w } = useAccount()
  const { me } = props
  const task = useTask()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<AccountKey | null>(null)

  const end = () =>
    task.run(async () => {
      setError(null)
      try {
        const body = { confirm: me.user_id, ...(me.auth === 'email' && { password }) }
        props.onDeleted(await api.receipt('DELETE', '/me', body))
      } catch (refused) {
        if (!wrongIn(refused, 'password')) throw refused
        setError('passwordWrong')
      }
      return null
    })
  return (
    <>
      <Confirm
        text={w('deleteHint')}
        name={w('deleteWord')}
        action={w('deleteMe')}
        busy={task.busy}
        onCancel={props.onCancel}
        onConfirm={() => void end()}
      >
        {me.auth === 'email' && (
          <TextField
            label={w('currentPassword')}
            type="password"
            autocomplete="current-password"
            value={password}
            onInput={setPassword}
            error={error === null ? null : w(error)}
          />
        )}
      </Confirm>
      <Said task={task} />
    </>
  )
}
