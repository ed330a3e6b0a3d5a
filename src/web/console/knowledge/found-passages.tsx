import { Empty, Notice } from '../parts'
import { Link } from '../router'
import { useFormat } from '../words'
import { screens } from './addresses'
import type { Found, Hit as FoundHit } from './base'
import { useKnowledgeWords } from './words'

/** What a question found, and whether an agent would answer from it. */
export function FoundPassages({ base, found }: { base: string; found: Found }) {
  const t = useKnowledgeWords()
  const format = useFormat()
  const { gate, hits, took_ms } = found
  return (
    <section class="stack" aria-label={t('found')}>
      <Notice tone={gate.open ? 'ok' : 'warn'}>
        <p>
          <strong>{t(gate.open ? 'gateOpen' : 'gateShut')}</strong>
        </p>
        {gate.reasons.map((reason) => (
          <p key={reason}>{t(`gate_${reason}`)}</p>
        ))}
      </Notice>
      <p class="muted small">
        {t('hitCount', { n: hits.length })}
        {' · '}
        {t('took', { ms: format.number(Math.round(took_ms)) })}
      </p>
      {hits.length === 0 && <Empty title={t('nothingFound')} text={t('noHits')} />}
      <ol class="base-hits">
        {hits.map((hit, at) => (
          <Hit key={hit.chunk_id} base={base} hit={hit} rank={at + 1} />
        ))}
      </ol>
    </section>
  )
}

function Hit({ base, hit, rank }: { base: string; hit: FoundHit; rank: number }) {
  const t = useKnowledgeWords()
  const format = useFormat()
  const { document_id, document_name, heading, page, text, score, distance, source_url } = hit
  const closeness = Math.max(0, Math.min(1, 1 - distance))
  return (
    <li class="card stack-small">
      <p class="row spread">
        <span class="row">
          <span class="muted">{format.number(rank)}</span>
          <Link to={screens.document(base, document_id)}>
            <bdi>{document_name}</bdi>
          </Link>
          {heading && <bdi class="muted small">{heading}</bdi>}
          {page !== null && <span class="muted small">{t('page_n', { n: page })}</span>}
        </span>
        <span class="muted small">{t('closenessIs', { share: format.percent(closeness) })}</span>
      </p>
      <blockquote class="passage" dir="auto">
        {text}
      </blockquote>
      <p class="muted small row">
        <span>
          {t('distance')} <span class="mono">{format.number(distance)}</span>
        </span>
        <span>
          {t('score')} <span class="mono">{format.number(score)}</span>
        </span>
        {source_url && <bdi>{source_url}</bdi>}
      </p>
    </li>
  )
}
