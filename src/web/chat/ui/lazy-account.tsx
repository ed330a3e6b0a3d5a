import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadCode } from '../app/load-code'

export interface AccountProps {
  onClose: () => void
}

/** The signed-in person's account; its code is fetched when it is opened. */
export function LazyAccount(props: AccountProps) {
  const [Account, setAccount] = useState<ComponentType<AccountProps> | null>(null)
  useEffect(() => {
    loadCode(() => import('../account/account')).then(
      (module) => setAccount(() => module.Account),
      () => props.onClose(),
    )
  }, [])
  return Account === null ? null : <Account {...props} />
}
