import { Button, Empty, Loading, Problem } from '../parts'
import { useList } from '../use-load'
import { useShell } from '../words'
import { useKnowledgeWords } from './words'

interface Passage {
  id: string
  n: number
  text: string
  heading: string | null
  page: number | null
}

/** The passages of a document in order, as answers cite them. `count` says when they are others. */
export function Passages({ path, count }: { path: string; count: number }) {
  const t = useKnowledgeWords()
  return (
    <section class="stack" aria-labelledby="passages">
      <h2 id="passages">{t('passages')}</h2>
      {count === 0 ? (
        <Empty title={t('noPassages')} text={t('noPassagesText')} />
      ) : (
        <List key={count} path={path} />
      )}
    </section>
  )
}

function List({ path }: { path: string }) {
  const t = useKnowledgeWords()
  const shell = useShell()
  const { items, problem, loading, hasMore, more, reload } = useList<Passage>(`${path}/chunks`)
  if (items === null) return problem ? <Problem of={problem} retry={reload} /> : <Loading />
  return (
    <>
      <ol class="passages">
        {items.map(({ id, n, heading, page, text }) => (
          <li key={id}>
            <p class="muted small row">
              <span>{t('passageN', { n: n + 1 })}</span>
              {heading && <bdi>{heading}</bdi>}
              {page !== null && <span>{t('page_n', { n: page })}</span>}
            </p>
            <blockquote class="passage" dir="auto">
              {text}
            </blockquote>
          </li>
        ))}
      </ol>
      <Problem of={problem} retry={more} />
      {hasMore && (
        <div>
          <Button busy={loading} onClick={more}>
            {shell('more')}
          </Button>
        </div>
      )}
    </>
  )
}
