import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import type { Locale } from '../i18n'
import type { Problem } from '../model/chat'
import { useApp } from './context'

/** A refusal may end with the page that helps. */
const PAGE = /https?:\/\/\S+$/

/** What went wrong, in one sentence of the active language. */
export function problemText({ t }: Locale, problem: Problem, now: number): string {
  switch (problem.kind) {
    case 'connection':
      return t('problemConnection')
    case 'offline':
      return t('offline')
    case 'quota':
      return t('problemQuota')
    case 'rate': {
      const seconds = Math.ceil((problem.retryAt - now) / 1000)
      if (seconds > 90) return t('problemRateMinutes', { n: Math.ceil(seconds / 60) })
      return seconds > 0 ? t('problemRate', { n: seconds }) : t('problemRateOver')
    }
    case 'busy':
      return t('problemBusy')
    case 'gone':
      return t('problemGone')
    case 'refused':
      return problem.detail === ''
        ? t('problemRefused')
        : `${t('problemRefused')} (${problem.detail.replace(PAGE, '').trim()})`
    case 'server':
      return t('problemServer')
  }
}

/** A failed reply's explanation; the way out is a button where there is one. */
export function ProblemNote(props: { problem: Problem; onRetry: (() => void) | null }) {
  const { problem, onRetry } = props
  const { boot, locale } = useApp()
  const [now, setNow] = useState(Date.now())
  const waits = problem.kind === 'rate' && problem.retryAt > now
  useEffect(() => {
    if (!waits) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [waits])
  const page = problem.kind === 'refused' ? PAGE.exec(problem.detail)?.[0] : undefined
  const hopeless = problem.kind === 'quota' || problem.kind === 'gone'
  return (
    <div class={hopeless ? 'problem is-warn' : 'problem is-bad'}>
      <Icon name={problem.kind === 'offline' ? 'offline' : 'warn'} />
      <div class="problem-words">
        <p>{problemText(locale, problem, now)}</p>
        {page && (
          <p>
            {/* Nobody signs in inside a frame of another site. */}
            <a href={page} target={boot.framed ? '_blank' : undefined}>
              {page}
            </a>
          </p>
        )}
        {problem.kind === 'server' && problem.requestId !== null && (
          <p class="small">
            {locale.t('requestId', { id: '' })}
            <code dir="ltr">{problem.requestId}</code>
          </p>
        )}
      </div>
      {onRetry !== null && !hopeless && (
        <button type="button" class="button" disabled={waits} onClick={onRetry}>
          <Icon name="retry" />
          {locale.t('retry')}
        </button>
      )}
    </div>
  )
}
