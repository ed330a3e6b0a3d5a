import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Language } from '../../../config/names'
import { Button, Icon, IconButton, Loading, Problem } from '../parts'
import { Link, mayLeave, usePlace } from '../router'
import { NAV } from '../screens'
import type { TenantFacts } from '../tenant'
import { useLoad } from '../use-load'
import { useShell } from '../words'
import { Account } from './account'
import { AgentFinder, AgentSwitcher } from './agent-switcher'
import { LeaveQuestion } from './leave-question'
import { Looks } from './looks'
import { findScreen, Outlet } from './outlet'
import { Palette } from './palette'

interface Props {
  /** Out of sight, behind the way in. */
  away: boolean
  onTenant: (id: string) => void
  onLanguage: (lang: Language) => Promise<void>
  onLeave: () => void
}

/** The side navigation, the bar above, and the screen. */
export function Frame({ away, onTenant, onLanguage, onLeave }: Props) {
  const t = useShell()
  const { path } = usePlace()
  const tenant = useLoad((api, signal) => api.get<TenantFacts>('/v1/tenant/me', {}, signal), [])
  const tenantId = tenant.data?.tenant_id ?? null
  useEffect(() => {
    if (tenantId !== null) onTenant(tenantId)
  }, [tenantId, onTenant])
  const [navOpen, setNavOpen] = useState(false)
  const [finding, setFinding] = useState<'agent' | 'anything' | null>(null)
  const area = findScreen(path)?.entry.nav
  // Not after the next paint: who opens it before that finds it closed again.
  useLayoutEffect(() => setNavOpen(false), [path])
  useEffect(() => {
    if (!navOpen) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setNavOpen(false)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [navOpen])
  useEffect(() => {
    if (away) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      setFinding('anything')
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [away])

  return (
    <div class="console">
      <button type="button" class="skip" onClick={skipToMain}>
        {t('skip')}
      </button>
      <header class="top-bar">
        <div class="only-narrow">
          <IconButton
            icon="menu"
            label={t('menu')}
            expanded={navOpen}
            onClick={() => setNavOpen(!navOpen)}
          />
        </div>
        <p class="tenant-name">
          <bdi>{tenant.data?.name ?? ''}</bdi>
        </p>
        <AgentSwitcher onOpen={() => setFinding('agent')} />
        <button
          type="button"
          class="find"
          aria-label={`${t('find')} Ctrl K`}
          onClick={() => setFinding('anything')}
        >
          <Icon name="search" />
          <span>{t('find')}</span> <kbd>Ctrl K</kbd>
        </button>
        <Looks onLanguage={onLanguage} />
        <Account tenant={tenant.data} onLeave={() => void leaveAsked(onLeave)} />
      </header>
      <nav class={navOpen ? 'side open' : 'side'} aria-label={t('navigation')}>
        {NAV.map((group) => (
          <ul key={group[0]?.area}>
            {group.map(({ area: of, to, label, icon }) => (
              <li key={of}>
                <Link to={to} aria-current={of === area ? 'page' : undefined}>
                  <Icon name={icon} />
                  {t(label)}
                </Link>
              </li>
            ))}
          </ul>
        ))}
        <ul>
          <li>
            <a href="/docs" target="_blank" rel="noopener">
              <Icon name="external" />
              {t('apiDocs')}
            </a>
          </li>
        </ul>
      </nav>
      <main id="main" tabIndex={-1}>
        {tenant.data ? (
          <Outlet />
        ) : tenant.problem ? (
          <div class="stack">
            <Problem of={tenant.problem} retry={tenant.reload} />
            <Button onClick={onLeave}>{t('signOut')}</Button>
          </div>
        ) : (
          <Loading />
        )}
      </main>
      {finding === 'anything' && <Palette onClose={() => setFinding(null)} />}
      {finding === 'agent' && <AgentFinder onClose={() => setFinding(null)} />}
      <LeaveQuestion away={away} />
    </div>
  )
}

/** Asks first where something is not saved. */
async function leaveAsked(leave: () => void): Promise<void> {
  if (await mayLeave()) leave()
}

/** The address's fragment is the screen's, so no link leads to a place of the page. */
function skipToMain(): void {
  document.getElementById('main')?.focus()
}
