import type { ComponentProps } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Translate } from '../../../kit/i18n'
import type { ApiProblem } from '../../api/problem'
import { loadLate } from '../../load-late'
import { Loading, Problem } from '../../parts'
import { asProblem } from '../../use-load'
import { loadWords, ScreenContext, useFormat } from '../../words'
import type { Talk } from '../talk/talk'
import { words } from '../talk/words'

interface Part {
  Talk: typeof Talk
  t: Translate<string>
}

/** The test chat with its own words, fetched once the form stands: who changes a word needs none of it. */
export function LazyTalk(props: ComponentProps<typeof Talk>) {
  const { lang } = useFormat()
  const [part, setPart] = useState<Part | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isGone = false
    setProblem(null)
    Promise.all([loadLate(() => import('../talk/talk')), loadWords(words, lang)]).then(
      ([{ Talk }, t]) => {
        if (!isGone) setPart({ Talk, t })
      },
      (error: unknown) => {
        if (!isGone) setProblem(asProblem(error))
      },
    )
    return () => {
      isGone = true
    }
  }, [lang, round])
  const told = <Problem of={problem} retry={() => setRound(round + 1)} />
  if (part === null) return problem ? told : <Loading />
  return (
    <ScreenContext.Provider value={part.t}>
      {told}
      <part.Talk {...props} />
    </ScreenContext.Provider>
  )
}
