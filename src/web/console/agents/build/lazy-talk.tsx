import type { ComponentProps } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Translate } from '../../../kit/i18n'
import { Button, Loading } from '../../parts'
import { loadWords, ScreenContext, useFormat, useShell } from '../../words'
import type { Talk } from '../talk/talk'
import { words } from '../talk/words'

interface Part {
  Talk: typeof Talk
  t: Translate<string>
}

/** The test chat with its own words, fetched once the form stands: who changes a word needs none of it. */
export function LazyTalk(props: ComponentProps<typeof Talk>) {
  const shell = useShell()
  const { lang } = useFormat()
  const [part, setPart] = useState<Part | 'failed' | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isGone = false
    Promise.all([import('../talk/talk'), loadWords(words, lang)]).then(
      ([{ Talk }, t]) => {
        if (!isGone) setPart({ Talk, t })
      },
      () => {
        if (!isGone) setPart('failed')
      },
    )
    return () => {
      isGone = true
    }
  }, [lang, round])
  if (part === null) return <Loading />
  if (part === 'failed')
    return (
      <Button icon="retry" onClick={() => setRound(round + 1)}>
        {shell('retry')}
      </Button>
    )
  return (
    <ScreenContext.Provider value={part.t}>
      <part.Talk {...props} />
    </ScreenContext.Provider>
  )
}
