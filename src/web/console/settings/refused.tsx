import type { ApiProblem } from '../api/call'
import { Notice, Problem } from '../parts'
import { type SettingsKey, useSettingsWords } from './words'

/** Somebody else's server said no: ours did its part, and the reader can mend it. */
const ELSEWHERE: Readonly<Record<string, SettingsKey>> = {
  smtp_failed: 'smtpFailed',
  byok_failed: 'byokFailed',
  channel_failed: 'channelFailed',
}

export function Refused({ of }: { of: ApiProblem | null }) {
  const t = useSettingsWords()
  const known = of?.code ? ELSEWHERE[of.code] : undefined
  if (of === null || known === undefined) return <Problem of={of} />
  return (
    <div role="alert">
      <Notice tone="bad">
        {t(known)}
        {/* Why a model failed only the answer says. */}
        {of.code === 'byok_failed' && <bdi class="muted">{of.detail}</bdi>}
      </Notice>
    </div>
  )
}
