import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import { useChatState } from '../ui/context'
import { canRecord, type Recording, record } from './record'
import { useVoiceWords } from './words'

const MOST_S = 120
const TICK_MS = 100

/** Records a question: pressed once it begins, again it is sent; Escape discards it. */
export function Voice({ onSend }: { onSend: (audio: string) => void }) {
  const { turn } = useChatState()
  const words = useVoiceWords()
  const [isAble] = useState(canRecord)
  const [recording, setRecording] = useState<Recording | null>(null)
  const [heard, setHeard] = useState({ seconds: 0, level: 0 })
  const [problem, setProblem] = useState<'denied' | 'failed' | null>(null)
  const start = useRef<HTMLButtonElement>(null)
  const send = useRef<HTMLButtonElement>(null)
  const isAsking = useRef(false)

  const leave = () => {
    void recording?.end().catch(() => undefined)
    setRecording(null)
  }
  useEffect(() => {
    if (recording === null) return
    const end = new AbortController()
    const began = Date.now()
    const timer = setInterval(() => {
      const seconds = Math.min(MOST_S, Math.floor((Date.now() - began) / 1000))
      const isFull = seconds === MOST_S
      if (isFull) void recording.end().catch(() => undefined)
      setHeard({ seconds, level: isFull ? 0 : recording.level() })
    }, TICK_MS)
    const discard = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      setRecording(null)
    }
    document.addEventListener('keydown', discard, { capture: true, signal: end.signal })
    send.current?.focus()
    return () => {
      clearInterval(timer)
      end.abort()
      void recording.end().catch(() => undefined)
      // The button comes back in the place of these.
      setTimeout(() => document.activeElement === document.body && start.current?.focus())
    }
  }, [recording])
  if (words === null || !isAble) return null

  const begin = async () => {
    if (isAsking.current) return
    isAsking.current = true
    setProblem(null)
    setHeard({ seconds: 0, level: 0 })
    try {
      setRecording(await record())
    } catch (error) {
      setProblem((error as Error).name === 'NotAllowedError' ? 'denied' : 'failed')
    }
    isAsking.current = false
  }
  const finish = async () => {
    if (recording === null || turn !== 'idle') return
    try {
      const audio = await recording.end()
      onSend(audio)
    } catch {
      setProblem('failed')
    }
    setRecording(null)
  }

  if (recording === null) {
    return (
      <>
        <button
          ref={start}
          type="button"
          class="icon-button"
          aria-label={words('record')}
          title={words('record')}
          onClick={() => void begin()}
        >
          <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
            <path d="M10 3a2.3 2.3 0 0 0-2.3 2.3v4.4a2.3 2.3 0 0 0 4.6 0V5.3A2.3 2.3 0 0 0 10 3zM5 9.5a5 5 0 0 0 10 0M10 14.5V17" />
          </svg>
        </button>
        <span class="voice-note" role="status">
          {problem && words(problem)}
        </span>
      </>
    )
  }
  const isFull = heard.seconds === MOST_S
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label={words('discard')}
        title={words('discard')}
        onClick={leave}
      >
        <Icon name="trash" />
      </button>
      <meter class="voice-level" min={0} max={1} value={heard.level} aria-hidden="true" />
      <span class="voice-time" role="timer">
        {`${Math.floor(heard.seconds / 60)}:${String(heard.seconds % 60).padStart(2, '0')}`}
      </span>
      <span class="voice-note" role="status">
        {words(isFull ? 'full' : 'recording')}
      </span>
      <button
        ref={send}
        type="button"
        class="send"
        aria-label={words('send')}
        title={words('send')}
        aria-disabled={turn !== 'idle'}
        onClick={() => void finish()}
      >
        <Icon name="check" />
      </button>
    </>
  )
}

/** Stands for a recording until it is known what was said. */
export function Spoken() {
  const words = useVoiceWords()
  return words && <p class="bubble">{words('spoken')}</p>
}
