import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks'
import { Icon } from '../../kit/icons'
import { useApp } from '../ui/context'
import type { AccountProps } from '../ui/lazy-account'
import { AccountApi, type LinkedApp, type Space } from './account-api'
import { AppSection } from './app-section'
import { DocumentSection } from './document-section'
import { ExportSection } from './export-section'
import { InAccount, isUnnamed, problemWord, useAccount } from './parts'
import { ProfileSection } from './profile-section'
import { RememberedSection } from './remembered-section'
import { ReminderSection } from './reminder-section'
import { SignInSection } from './sign-in-section'
import { SpaceSection } from './space-section'
import { type AccountKey, type AccountTranslate, loadAccountWords } from './words'

/** The account area: a modal dialog over the chat, which Escape closes. */
export function Account({ onClose }: AccountProps) {
  const { boot, agent, chat, locale } = useApp()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [w, setWords] = useState<AccountTranslate | null>(null)
  const [spaces, setSpaces] = useState<readonly Space[] | null>(null)
  const [apps, setApps] = useState<readonly LinkedApp[]>([])
  const [problem, setProblem] = useState<AccountKey | null>(null)
  const [receipt, setReceipt] = useState<string | null>(null)
  const [chosen, choose] = useState<string | null>(null)
  const api = useMemo(() => new AccountApi(() => chat.token, locale.lang), [chat, locale.lang])

  useLayoutEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    void loadAccountWords(locale.lang).then((words) => setWords(() => words), onClose)
  }, [locale.lang])
  const reload = useCallback(async () => {
    setProblem(null)
    try {
      const [read, linked] = await Promise.all([
        api.call<Space[]>('GET', '/me/spaces'),
        api.call<LinkedApp[]>('GET', '/me/channels'),
      ])
      setSpaces(read)
      setApps(linked)
    } catch (error) {
      setProblem(problemWord(error))
    }
  }, [api])
  useEffect(() => {
    void reload()
  }, [reload])

  const space = spaces?.find((one) => one.id === chosen) ?? spaces?.find((one) => one.is_default)
  return (
    <dialog
      class="account"
      ref={dialog}
      aria-labelledby={id}
      onClose={receipt === null ? onClose : () => chat.signOut()}
    >
      <div class="account-bar">
        <h2 id={id}>{locale.t('account')}</h2>
        <button
          type="button"
          class="icon-button"
          aria-label={locale.t('close')}
          title={locale.t('close')}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </div>
      <div class="account-body">
        {w === null || (spaces === null && problem === null) ? (
          <p role="status">{w?.('loading') ?? '…'}</p>
        ) : spaces === null || space === undefined ? (
          <div role="alert">
            <p class="is-bad">{w(problem ?? 'failed')}</p>
            <button type="button" class="button" onClick={() => void reload()}>
              {locale.t('retry')}
            </button>
          </div>
        ) : receipt !== null ? (
          <Farewell w={w} receipt={receipt} onLeave={() => chat.signOut()} />
        ) : (
          <InAccount
            value={{ api, w, locale, agentName: boot.agent.name, agent, spaces, apps, reload }}
          >
            <ProfileSection />
            <AppSection />
            <SpaceSection />
            <SpaceChoice chosen={space} onChoose={choose} />
            <ReminderSection key={`${space.id}r`} space={space.id} />
            <RememberedSection key={`${space.id}m`} space={space.id} />
            <DocumentSection key={`${space.id}d`} space={space.id} />
            <ExportSection />
            <SignInSection onDeleted={setReceipt} />
          </InAccount>
        )}
      </div>
    </dialog>
  )
}

/** The account is gone: what there is to keep of it, and the way out. */
function Farewell(props: { w: AccountTranslate; receipt: string; onLeave: () => void }) {
  const { w, receipt, onLeave } = props
  const leave = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => leave.current?.focus(), [])
  return (
    <div role="alert">
      <p>{w('deleted')}</p>
      <p>
        {w('receipt')} <code dir="ltr">{receipt}</code>
      </p>
      <button type="button" class="button" ref={leave} onClick={onLeave}>
        {w('leave')}
      </button>
    </div>
  )
}

/** Reminders and what is remembered belong to one space each. */
function SpaceChoice({ chosen, onChoose }: { chosen: Space; onChoose: (id: string) => void }) {
  const { w, spaces } = useAccount()
  const id = useId()
  if (spaces.length < 2) return null
  return (
    <div class="field">
      <label for={id}>{w('space')}</label>
      <select
        id={id}
        dir="auto"
        value={chosen.id}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {spaces.map((space) => (
          <option key={space.id} value={space.id}>
            {isUnnamed(space) ? w('isDefault') : space.name}
          </option>
        ))}
      </select>
    </div>
  )
}
