import { useEffect, useMemo, useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { navigate } from '../router'
import { NAV } from '../screens'
import { TABS } from '../settings/tabs'
import { words as settingsWords } from '../settings/words'
import { useLoad } from '../use-load'
import { loadWords, useFormat, useShell } from '../words'
import { findUsers, listTargets, rankTargets, type Target } from './find'
import { Finder } from './finder'

const PAUSE_MS = 200

/** Finds anything that has a name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useShell()
  const api = useApi()
  const [typed, setTyped] = useState('')
  const [people, setPeople] = useState<{ of: string; found: readonly Target[] }>({
    of: '',
    found: [],
  })
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
  const q = typed.trim()
  // Whoever was found by other words is nobody that Enter may go to.
  const users = people.of === q ? people.found : []
  useEffect(() => {
    if (q.length < 2) return undefined
    const controller = new AbortController()
    const timer = setTimeout(() => {
      findUsers(api, q, controller.signal).then(
        (found) => setPeople({ of: q, found }),
        () => undefined,
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, q])
  // Before anything is typed it is a list of the pages.
  const all = q === '' ? pages : [...pages, ...(settings.data ?? []), ...(named.data ?? [])]
  const { targets, more } = rankTargets(all, typed)
  const isLoading = named.loading || settings.loading
  return (
    <Finder
      title={t('find')}
      hint={t('findHint')}
      typed={typed}
      onType={setTyped}
      found={
        targets.length + users.length === 0 && isLoading
          ? null
          : { targets: [...targets, ...users], more }
      }
      problem={settings.problem}
      onChoose={({ to }) => {
        onClose()
        navigate(to)
      }}
      onClose={onClose}
    />
  )
}
