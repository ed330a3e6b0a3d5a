import { Badge, Said } from '../parts'
import type { SkillWarning } from './skill'
import { type SkillKey, useSkillWords } from './words'

const WORDS: Partial<Record<SkillWarning['code'], SkillKey>> = {
  description_too_short: 'warnDescription',
  instructions_empty: 'warnInstructions',
  menu_prompt_without_label: 'warnMenuLabel',
  unused: 'warnUnused',
}

/** What is probably not meant; tools and bases are named in the server's own words. */
export function Warnings({ of: warnings }: { of: readonly SkillWarning[] }) {
  const t = useSkillWords()
  if (warnings.length === 0) return null
  return (
    <section class="card" aria-label={t('warnings')}>
      <ul class="stack-small">
        {warnings.map(({ code, message, severity }) => {
          const key = WORDS[code]
          return (
            <li key={message} class="row">
              <Badge tone={severity === 'warning' ? 'warn' : 'info'}>
                {t(severity === 'warning' ? 'warning' : 'note')}
              </Badge>
              {key ? <span>{t(key)}</span> : <Said text={message} />}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
