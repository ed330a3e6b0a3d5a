import { useState } from 'preact/hooks'
import type { MarkLabel } from '../../kit/markdown/writer'
import { useLate } from '../app/lazy-app'
import type { OpeningWords } from '../app/opening'
import { useApp } from './context'
import { Markdown } from './markdown'
import { Choices } from './reply'

const NO_LABELS: ReadonlyMap<number, MarkLabel> = new Map()
const NOTHING = () => undefined

/** The top of the conversation: the agent's greeting, unless it is the first message, and what one may start with. */
export function Intro({ started, greeted }: { started: boolean; greeted: boolean }) {
  const { boot, agent, chat, locale } = useApp()
  const late = useLate()
  const [opening, setOpening] = useState<OpeningWords | null>(null)
  const greeting = greeted ? null : (opening?.greeting ?? agent.greeting)
  // The page was rendered with the storylines that anybody may begin; the opening names them again.
  const isNew = (offer: { label: string }) => agent.menu.every(({ label }) => label !== offer.label)
  const offered = [...agent.menu, ...(opening?.offers.filter(isNew) ?? [])]
  return (
    <div class={started ? 'intro' : 'intro is-empty'}>
      {boot.features.opening && late && <late.Opening onRead={setOpening} />}
      {greeting === null ? (
        !started && <p class="intro-title">{locale.t('emptyTitle')}</p>
      ) : (
        <div class="greeting">
          <Markdown
            text={greeting}
            live={false}
            labels={NO_LABELS}
            labelsFinal={false}
            onCite={NOTHING}
          />
        </div>
      )}
      {!started && (
        <Choices
          label={locale.t('startWith')}
          items={offered.map(({ label, prompt }) => ({ label, send: prompt }))}
          onSend={(words) => void chat.send(words, [])}
        />
      )}
    </div>
  )
}
