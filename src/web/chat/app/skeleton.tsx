import { useEffect, useState } from 'preact/hooks'
import { useLateWords } from './words'

/** What comes sooner than this comes without an announcement. */
const SLOW_MS = 300

/** In the place of what is being fetched and of what stands behind it, once that takes long. */
export function Skeleton() {
  const words = useLateWords()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isSlow) return null
  return (
    <div class="skeleton" role="status">
      <span class="sr">{words?.('loading')}</span>
      <i />
      <i />
      <i />
    </div>
  )
}
