import { useRef, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import { carryVisitor } from '../../kit/net/carry-visitor'
import { signInByWindow } from '../../kit/net/hand-over'
import { useApp } from '../ui/context'
import { useLateWords } from './words'

/** The way to sign in. In the frame of another site it is a window, which tells the frame who signed in. */
export function SignIn({ onDone }: { onDone: () => void }) {
  const { boot, chat, locale } = useApp()
  const words = useLateWords()
  const [isLost, setLost] = useState(false)
  const last = useRef<AbortController | null>(null)
  const back = encodeURIComponent(location.pathname + location.search)
  const address = `/login/${boot.tenant.id}?return=${back}&lang=${locale.lang}`
  const ask = async (event: Event) => {
    if (!boot.framed) return
    event.preventDefault()
    setLost(false)
    last.current?.abort()
    last.current = new AbortController()
    const { signal } = last.current
    const token = await signInByWindow(new URL(address, location.origin), signal)
    if (signal.aborted) return
    if (token === null) {
      setLost(true)
      return
    }
    const visitor = chat.userId() === null ? chat.token : null
    if (visitor !== null) void carryVisitor(visitor, token)
    chat.adopt(token)
    onDone()
  }
  return (
    <>
      <a class="menu-item" href={address} rel="nofollow" onClick={(event) => void ask(event)}>
        <Icon name="person" />
        {locale.t('signIn')}
      </a>
      <div role="status">
        {isLost && words && (
          <>
            <p class="steps">{words('signInLost')}</p>
            <a class="menu-item" href={address} target="_blank" rel="noopener nofollow">
              <Icon name="person" />
              {words('signInTab')}
            </a>
          </>
        )}
      </div>
    </>
  )
}
