import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../ui/context'
import { useSpeechWords } from './words'

const PATHS = {
  speak: 'M3.5 8v4h2.8l3.7 3.2V4.8L6.3 8zM13 7.4a3.7 3.7 0 0 1 0 5.2M15 5.2a6.8 6.8 0 0 1 0 9.6',
  silence: 'M6 6h8v8H6z',
} as const

/** Silences what is being read: one answer is heard at a time. */
let silence = () => {}

/** Reads a reply aloud, and stops. What was fetched is played again without asking. */
export function ReadAloud({ messageId }: { messageId: string }) {
  const { chat } = useApp()
  const words = useSpeechWords()
  const audio = useRef<HTMLAudioElement | null>(null)
  const [speaks, setSpeaks] = useState(false)
  const [failed, setFailed] = useState(false)
  const stop = useRef(() => {})
  useEffect(
    () => () => {
      stop.current()
      if (audio.current) URL.revokeObjectURL(audio.current.src)
    },
    [],
  )
  if (words === null) return null

  const read = async () => {
    silence()
    const end = new AbortController()
    const quiet = () => {
      end.abort()
      audio.current?.pause()
      setSpeaks(false)
    }
    silence = quiet
    stop.current = quiet
    setSpeaks(true)
    setFailed(false)
    try {
      audio.current ??= new Audio(await fetchSpeech(messageId, chat.token, end.signal))
      if (end.signal.aborted) return
      audio.current.onended = quiet
      audio.current.currentTime = 0
      await audio.current.play()
    } catch {
      if (end.signal.aborted) return
      quiet()
      setFailed(true)
    }
  }

  const name = words(speaks ? 'silence' : 'speak')
  return (
    <>
      <button
        type="button"
        class="icon-button small"
        aria-label={name}
        title={name}
        onClick={() => (speaks ? stop.current() : void read())}
      >
        <svg class="icon mirror" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
          <path d={PATHS[speaks ? 'silence' : 'speak']} />
        </svg>
      </button>
      <span class="action-note" role="status">
        {failed && words('unspoken')}
      </span>
    </>
  )
}

/** The address of the sound. */
async function fetchSpeech(
  messageId: string,
  token: string | null,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch('/v1/speech', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ message_id: messageId }),
    signal,
  })
  if (!response.ok) throw new Error('not spoken')
  return URL.createObjectURL(await response.blob())
}
