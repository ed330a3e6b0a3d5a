import { useEffect, useRef } from 'preact/hooks'
import { Badge, IconButton, Loadable, Meter, Said, Table, type Tone } from '../parts'
import { useLoad } from '../use-load'
import { useShell } from '../words'
import { baseApi } from './addresses'
import type { SiteImport, SitePage } from './base'
import { ScrollBox } from './scroll-box'
import { useFresh } from './use-fresh'
import { useKnowledgeWords } from './words'

interface SiteProgressProps {
  base: string
  job: string
  /** Called when the import has come further. */
  onPages: () => void
  onClose: () => void
}

/** How far the import of a site is, page by page. */
export function SiteProgress({ base, job, onPages, onClose }: SiteProgressProps) {
  const t = useKnowledgeWords()
  const shell = useShell()
  const path = `${baseApi(base)}/imports/${job}`
  const loaded = useLoad((api, signal) => api.get<SiteImport>(path, {}, signal), [path])
  const { data } = loaded
  useFresh(data?.status === 'running', async (api, signal) =>
    loaded.set(await api.get<SiteImport>(path, {}, signal)),
  )
  const done = data ? data.pages.length - data.queued : 0
  const known = useRef<number | null>(null)
  useEffect(() => {
    if (known.current !== null && done > known.current) onPages()
    if (data) known.current = done
  }, [done, data, onPages])
  return (
    <section class="card stack" aria-labelledby="site-progress">
      <div class="row spread">
        <h2 id="site-progress">{t('siteImport')}</h2>
        <IconButton icon="close" label={shell('close')} onClick={onClose} />
      </div>
      <Loadable of={loaded}>{(shown) => <Progress of={shown} done={done} />}</Loadable>
    </section>
  )
}

const STATES: Record<SiteImport['status'], Tone> = { running: 'info', done: 'ok', failed: 'bad' }
const PAGES: Record<SitePage['status'], Tone> = {
  queued: 'quiet',
  imported: 'ok',
  unchanged: 'quiet',
  skipped: 'warn',
  failed: 'bad',
}

function Progress({ of: site, done }: { of: SiteImport; done: number }) {
  const t = useKnowledgeWords()
  const { status, url, error, imported, unchanged, skipped, failed, pages } = site
  return (
    <>
      <p class="row">
        <Badge tone={STATES[status]}>{t(`site_${status}`)}</Badge>
        <bdi class="mono small">{url}</bdi>
      </p>
      {error && <Said text={error} />}
      <Meter label={t('pagesRead')} value={done} max={Math.max(1, pages.length)} />
      <p class="small muted" role="status">
        {t('pagesDone', { n: done, all: pages.length })}
        {' · '}
        {t('pageCounts', { imported, unchanged, skipped, failed })}
      </p>
      <details>
        <summary>{t('pages')}</summary>
        <ScrollBox label={t('pages')}>
          <Table
            caption={t('pages')}
            rows={pages}
            keyOf={(page) => page.url}
            columns={[
              {
                key: 'url',
                label: t('address'),
                primary: true,
                cell: (page) => <bdi class="small">{page.url}</bdi>,
              },
              {
                key: 'state',
                label: t('state'),
                cell: (page) => (
                  <>
                    <Badge tone={PAGES[page.status]}>{t(`page_${page.status}`)}</Badge>{' '}
                    {page.reason && <Said small text={page.reason} />}
                  </>
                ),
              },
            ]}
          />
        </ScrollBox>
      </details>
    </>
  )
}
