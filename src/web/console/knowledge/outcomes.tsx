import { Badge, Said, Table, type Tone } from '../parts'
import { useShell } from '../words'
import type { Outcome } from './plan-uploads'
import { ScrollBox } from './scroll-box'
import { useKnowledgeWords } from './words'

const TONES: Record<Outcome['state'], Tone> = { added: 'ok', unchanged: 'quiet', refused: 'bad' }

/** What came of each file or address. */
export function Outcomes({ of: outcomes }: { of: readonly Outcome[] }) {
  const t = useKnowledgeWords()
  const shell = useShell()
  if (outcomes.length === 0) return null
  const added = outcomes.filter(({ state }) => state === 'added').length
  return (
    <section class="stack-small">
      <p role="status">{t('addedOf', { n: added, all: outcomes.length })}</p>
      <ScrollBox label={t('results')}>
        <Table
          caption={t('results')}
          rows={outcomes.map((outcome, n) => ({ ...outcome, n }))}
          keyOf={({ n }) => String(n)}
          columns={[
            {
              key: 'path',
              label: shell('name'),
              primary: true,
              cell: ({ path }) => <bdi>{path}</bdi>,
            },
            {
              key: 'state',
              label: t('result'),
              cell: ({ state, reason }) => (
                <>
                  <Badge tone={TONES[state]}>{t(state)}</Badge>{' '}
                  {reason && <Said small text={reason} />}
                </>
              ),
            },
          ]}
        />
      </ScrollBox>
    </section>
  )
}
