import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Translate } from '../../kit/i18n'
import { loadLate } from '../load-late'
import { findScreenIn } from '../match-path'
import { Empty, LinkButton, Loading, Page, Problem } from '../parts'
import { takeUpDepth, usePlace } from '../router'
import { SCREENS, type ScreenEntry, type ScreenModule } from '../screens'
import { asProblem } from '../use-load'
import { loadWords, ScreenContext, useFormat, useShell } from '../words'

export const findScreen = (path: string) => findScreenIn(SCREENS, path)

interface Shown {
  entry: ScreenEntry
  module: ScreenModule
  words: Translate<string>
  lang: string
}

/** The screen of the address, once its code and words are there. */
export function Outlet() {
  const t = useShell()
  const { lang } = useFormat()
  const { path } = usePlace()
  const [shown, setShown] = useState<Shown | null>(null)
  const [failed, setFailed] = useState<ReturnType<typeof asProblem> | null>(null)
  const found = findScreen(path)
  const entry = found?.entry
  const [round, setRound] = useState(0)
  useLayoutEffect(takeUpDepth, [path])
  useEffect(() => {
    if (!entry) return undefined
    let current = true
    setFailed(null)
    const load = async () => {
      const module = await loadLate(entry.load)
      const words = await loadWords(module.words, lang)
      if (current) setShown({ entry, module, words, lang })
    }
    load().catch((error: unknown) => {
      if (current) setFailed(asProblem(error))
    })
    return () => {
      current = false
    }
  }, [entry, lang, round])

  if (!found) {
    return (
      <Page title={t('notFound')}>
        <Empty
          title={t('notFoundText')}
          action={
            <LinkButton to="/" kind="primary">
              {t('navOverview')}
            </LinkButton>
          }
        />
      </Page>
    )
  }
  const problem = <Problem of={failed} retry={() => setRound((n) => n + 1)} />
  if (shown === null || shown.entry !== entry) return failed ? problem : <Loading />
  const { Screen } = shown.module
  return (
    <ScreenContext.Provider value={shown.words}>
      {problem}
      <Screen key={path} params={found.params} />
    </ScreenContext.Provider>
  )
}
