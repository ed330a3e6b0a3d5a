import { Notice } from '../../../parts'
import type { ScenarioResults } from '../../types'
import { usePanelWords } from './words'

/** The first turn of each scenario that is not as it was expected. */
export function Deviations({ of }: { of: ScenarioResults['scenarios'] }) {
  const t = usePanelWords()
  return (
    <Notice tone="bad">
      <p>{t('scenariosFail', { n: of.length })}</p>
      <ul class="plain-rows">
        {of.map(({ name, turn, expected, got }) => (
          <li key={name}>
            <strong>
              <bdi>{name}</bdi>
            </strong>{' '}
            · {t('turnNumber', { n: turn })}
            <br />
            <span class="small">
              {t('expected')} <code dir="ltr">{JSON.stringify(expected)}</code> {t('got')}{' '}
              <code dir="ltr">{JSON.stringify(got)}</code>
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
