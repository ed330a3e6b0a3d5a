import { useEffect, useId, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import type { StorylineState } from '../../kit/turn/frames'
import { followPushes } from '../frame/pushes'
import { useApp, useChatState } from '../ui/context'
import { type GuideTranslate, useGuideWords } from './words'

/** Lines above the conversation while a storyline leads it, or a person has been asked for. */
export function Guide() {
  const { boot, chat } = useApp()
  const { storyline } = useChatState()
  const words = useGuideWords()
  // In a frame they are followed anyway.
  const follows = !boot.framed
  useEffect(() => {
    if (!follows) return
    const end = new AbortController()
    void followPushes(
      () => chat.token,
      (id) => void chat.refresh(id),
      end.signal,
    )
    return () => end.abort()
  }, [chat, follows])
  if (words === null) return null
  return (
    <>
      <PersonLine words={words} />
      {storyline !== null && <StorylineBar storyline={storyline} words={words} />}
    </>
  )
}

/** That a person was asked for, until the agent answers again. */
function PersonLine({ words }: { words: GuideTranslate }) {
  const { entries } = useChatState()
  const last = entries.findLast((entry) => entry.kind === 'reply')
  const waits = last?.finishReason === 'handoff'
  if (!waits && last?.finishReason !== 'staff') return null
  return (
    <p class="banner" role="status">
      <Icon name="person" />
      {words(waits ? 'personAsked' : 'personAnswers')}
    </p>
  )
}

interface BarProps {
  storyline: StorylineState
  words: GuideTranslate
}

/** Name, progress and Leave of a storyline, and what it noted. One without anything to show has no bar. */
function StorylineBar({ storyline, words }: BarProps) {
  const { chat } = useApp()
  const { turn } = useChatState()
  const id = useId()
  const [open, setOpen] = useState(false)
  const { name, part, step, steps, leave, noted } = storyline
  if (name === null && noted.length === 0) return null
  return (
    <section class="banner story" aria-label={words('storyline')}>
      {name !== null && (
        <span class="badge" dir="auto">
          {name}
        </span>
      )}
      {step !== null && steps !== null && (
        <>
          <span role="status">
            {words('step', { n: step, total: steps })}
            {part !== null && (
              <>
                {' · '}
                <bdi>{part}</bdi>
              </>
            )}
          </span>
          <progress aria-hidden="true" value={step} max={steps} />
        </>
      )}
      {noted.length > 0 && (
        <button
          type="button"
          class="link-button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {words('noted')}
        </button>
      )}
      {leave !== null && (
        <button
          type="button"
          class="link-button"
          dir="auto"
          disabled={turn !== 'idle'}
          onClick={() => void chat.send(leave, [])}
        >
          {leave}
        </button>
      )}
      <dl class="noted" id={id} hidden={!open}>
        {noted.map(({ label, value }) => (
          <div key={label}>
            <dt dir="auto">{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Who wrote a message that is not the agent's. */
export function SaidByPerson() {
  const words = useGuideWords()
  if (words === null) return null
  return (
    <span class="action-note">
      <Icon name="person" />
      {words('person')}
    </span>
  )
}
