import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isGone } from '../api/problem'
import { hasMovedOn, Link } from '../router'
import type { Fetched } from '../use-load'
import { useShell } from '../words'
import { Icon } from './icons'

export interface PageTab {
  label: string
  to: string
  current: boolean
}

interface Props {
  title: string
  purpose?: string | undefined
  actions?: ComponentChildren
  crumbs?: readonly { label: string; to: string }[]
  tabs?: readonly PageTab[]
  /** What the page is of: where it is not there, neither tabs nor actions of it are offered. */
  of?: Fetched
  children: ComponentChildren
}

/**
 * A screen: its title gets the focus when somebody comes to it, so that it is read, but not from who has gone on meanwhile;
 * and it is the window's, with the tab that is shown.
 */
export function Page({ title, purpose, actions, crumbs = [], tabs = [], of, children }: Props) {
  const t = useShell()
  const isThere = !(of?.data === null && of.problem && isGone(of.problem))
  const heading = useRef<HTMLHeadingElement>(null)
  // Not after the next paint: who went into a field before that would be taken out of it.
  useLayoutEffect(() => {
    if (!hasMovedOn()) heading.current?.focus({ preventScroll: true })
  }, [])
  const tab = tabs.find(({ current }) => current)?.label ?? title
  useEffect(() => {
    // The settings are called as their tab is.
    document.title = [...new Set([title, tab, 'Parley'])].join(' · ')
  }, [title, tab])
  return (
    <div class="page-body">
      {crumbs.length > 0 && (
        <nav aria-label={t('crumbs')} class="crumbs">
          {crumbs.map(({ label, to }) => (
            <span key={to}>
              <Link to={to}>
                <bdi>{label}</bdi>
              </Link>
              <Icon name="next" />
            </span>
          ))}
        </nav>
      )}
      <header class="page-head">
        <div>
          <h1 tabIndex={-1} ref={heading}>
            <bdi>{title}</bdi>
          </h1>
          {purpose && <p class="muted">{purpose}</p>}
        </div>
        {isThere && actions && <div class="row actions">{actions}</div>}
      </header>
      {isThere && tabs.length > 0 && <Tabs label={title} tabs={tabs} />}
      {children}
    </div>
  )
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const bar = useRef<HTMLElement>(null)
  const current = tabs.find((tab) => tab.current)?.to
  useEffect(() => {
    // On a narrow page the bar is scrolled: where one is stays in sight.
    const tab = bar.current?.querySelector('[aria-current]')
    const depth = scrollY
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // In a low window the bar itself is out of sight, but that is no reason to leave the title.
    scrollTo(0, depth)
  }, [current])
  return (
    <nav class="tabs" aria-label={label} ref={bar}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} aria-current={tab.current ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
