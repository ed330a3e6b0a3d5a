import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Dialog, Icon, Problem } from '../parts'
import { navigate } from '../router'
import { NAV } from '../screens'
import { TABS } from '../settings/tabs'
import { words as settingsWords } from '../settings/words'
import { useLoad } from '../use-load'
import { loadWords, useFormat, useShell } from '../words'
import { findUsers, listTargets, rankTargets, type Target } from './find'

const KINDS = {
  page: 'kindPage',
  setting: 'navSettings',
  agent: 'kindAgent',
  skill: 'kindSkill',
  base: 'kindBase',
  server: 'kindServer',
  storyline: 'kindStoryline',
  user: 'kindUser',
} as const
const PAUSE_MS = 200

/** Finds a place by its name, by keyboard: a combobox with its list. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useShell()
  const api = useApi()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [users, setUsers] = useState<readonly Target[]>([])
  const { lang } = useFormat()
  const named = useLoad(listTargets, [])
  const settings = useLoad(async () => {
    const words = await loadWords(settingsWords, lang)
    return TABS.map(
      ([to, name]): Target => ({ kind: 'setting', name: words(name), to, icon: 'settings' }),
    )
  }, [lang])
  const pages = useMemo<Target[]>(
    () => NAV.flat().map(({ to, label, icon }) => ({ kind: 'page', name: t(label), to, icon })),
    [t],
  )
  useEffect(() => {
    const q = typed.trim()
    setAt(0)
    if (q.length < 2) {
      setUsers([])
      return undefined
    }
    const controller = new AbortController()
    const timer = setTimeout(() => {
      findUsers(api, q, controller.signal).then(setUsers, () => setUsers([]))
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, typed])
  const found = [
    ...rankTargets([...pages, ...(settings.data ?? []), ...(named.data ?? [])], typed),
    ...users,
  ]
  const go = (target: Target | undefined) => {
    if (!target) return
    onClose()
    navigate(target.to)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      go(found[at])
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt((at + step + found.length) % Math.max(1, found.length))
    }
  }
  return (
    <Dialog title={t('find')} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={t('findHint')}
        aria-expanded={true}
        aria-controls={`${id}list`}
        aria-activedescendant={found[at] ? `${id}${at}` : undefined}
        placeholder={t('findHint')}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <div class="palette" role="listbox" id={`${id}list`} aria-label={t('find')}>
        {found.map((target, place) => (
          // The list is worked by the input's keys; a pointer chooses directly.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the combobox has the focus.
          <div
            key={`${target.kind} ${target.to}`}
            id={`${id}${place}`}
            role="option"
            aria-selected={place === at}
            onClick={() => go(target)}
          >
            <Icon name={target.icon} />
            <bdi>{target.name}</bdi>
            <span class="muted small">{t(KINDS[target.kind])}</span>
          </div>
        ))}
      </div>
      <Problem of={settings.problem} />
      {found.length === 0 && (
        <p class="muted" role="status">
          {t('nothingFound')}
        </p>
      )}
    </Dialog>
  )
}
