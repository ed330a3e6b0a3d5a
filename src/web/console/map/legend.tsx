import { Time } from '../parts'
import { useFormat } from '../words'
import type { Graph } from './types'
import { useMapWords } from './words'

interface LegendProps {
  graph: Graph
  isSearch: boolean
  isPicture: boolean
  isFlat: boolean
}

/** What the shapes mean and how many of each there are; how the picture is worked with. */
export function Legend({ graph, isSearch, isPicture, isFlat }: LegendProps) {
  const t = useMapWords()
  const format = useFormat()
  const { nodes, total, truncated, computed_at: at } = graph
  const memories = nodes.filter(({ source }) => source === 'memory').length
  const matches = nodes.filter(({ match }) => match).length
  return (
    <>
      <ul class="map-legend small">
        <li>
          <Mark kind="memory" />
          {t('memories')} <span class="muted">{format.number(memories)}</span>
        </li>
        <li>
          <Mark kind="knowledge" />
          {t('passages')} <span class="muted">{format.number(nodes.length - memories)}</span>
        </li>
        {isSearch && (
          <li>
            <Mark kind="match" />
            {t('matches')} <span class="muted">{format.number(matches)}</span>
          </li>
        )}
        <li class="muted">
          {truncated
            ? t('truncated', { shown: nodes.length, total })
            : t('whole', { n: nodes.length })}{' '}
          · <Time at={at} />
        </li>
      </ul>
      <p class={isPicture ? 'small muted' : 'sr'} id="map-keys">
        {t(isFlat ? 'keysFlat' : 'keysSpace')}
      </p>
    </>
  )
}

/** The shape that a kind has on the map. */
export function Mark({ kind }: { kind: 'memory' | 'knowledge' | 'match' }) {
  return (
    <svg class={`map-mark ${kind}`} viewBox="0 0 16 16" aria-hidden="true">
      {kind === 'knowledge' ? <path d="M8 2l6 6-6 6-6-6z" /> : <circle cx="8" cy="8" r="5" />}
    </svg>
  )
}
