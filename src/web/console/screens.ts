import type { FunctionComponent } from 'preact'
import type { IconName } from './parts'
import type { ShellKey, WordFiles } from './words'

export interface ScreenProps {
  /** Values of the path's parameters. */
  params: Readonly<Record<string, string>>
}

export interface ScreenModule {
  words: WordFiles
  Screen: FunctionComponent<ScreenProps>
}

export type Area =
  | 'overview'
  | 'agents'
  | 'skills'
  | 'knowledge'
  | 'mcp'
  | 'storylines'
  | 'reviews'
  | 'handoffs'
  | 'users'
  | 'usage'
  | 'audit'
  | 'settings'

export interface ScreenEntry {
  /** Below `/console#`; the first that fits is shown, so literal paths come before those with parameters. */
  path: string
  nav: Area
  load: () => Promise<ScreenModule>
}

export interface NavEntry {
  area: Area
  to: string
  label: ShellKey
  icon: IconName
}

/** The side navigation, in groups. */
export const NAV: readonly (readonly NavEntry[])[] = [
  [{ area: 'overview', to: '/', label: 'navOverview', icon: 'home' }],
  [
    { area: 'agents', to: '/agents', label: 'navAgents', icon: 'agents' },
    { area: 'skills', to: '/skills', label: 'navSkills', icon: 'skill' },
    { area: 'knowledge', to: '/knowledge', label: 'navKnowledge', icon: 'book' },
    { area: 'mcp', to: '/mcp', label: 'navMcp', icon: 'server' },
    { area: 'storylines', to: '/storylines', label: 'navStorylines', icon: 'flow' },
  ],
  [
    { area: 'reviews', to: '/reviews', label: 'navReviews', icon: 'review' },
    { area: 'handoffs', to: '/handoffs', label: 'navHandoffs', icon: 'hand' },
    { area: 'users', to: '/users', label: 'navUsers', icon: 'users' },
  ],
  [
    { area: 'usage', to: '/usage', label: 'navUsage', icon: 'usage' },
    { area: 'audit', to: '/audit', label: 'navAudit', icon: 'audit' },
    { area: 'settings', to: '/settings/general', label: 'navSettings', icon: 'settings' },
  ],
]

/** A screen is a folder and a line here. */
export const SCREENS: readonly ScreenEntry[] = [
  // agents
  { path: '/agents', nav: 'agents', load: () => import('./agents/list') },
  { path: '/agents/new', nav: 'agents', load: () => import('./agents/new') },
  { path: '/agents/{name}', nav: 'agents', load: () => import('./agents/build') },
  { path: '/agents/{name}/share', nav: 'agents', load: () => import('./agents/share') },
  { path: '/agents/{name}/history', nav: 'agents', load: () => import('./agents/history') },
  // skills, knowledge, mcp
  { path: '/skills', nav: 'skills', load: () => import('./skills/list') },
  { path: '/skills/new', nav: 'skills', load: () => import('./skills/new') },
  { path: '/skills/{name}', nav: 'skills', load: () => import('./skills/edit') },
  { path: '/skills/{name}/history', nav: 'skills', load: () => import('./skills/history') },
  { path: '/knowledge', nav: 'knowledge', load: () => import('./knowledge/list') },
  { path: '/knowledge/{name}', nav: 'knowledge', load: () => import('./knowledge/documents') },
  { path: '/knowledge/{name}/verify', nav: 'knowledge', load: () => import('./knowledge/verify') },
  {
    path: '/knowledge/{name}/settings',
    nav: 'knowledge',
    load: () => import('./knowledge/settings'),
  },
  {
    path: '/knowledge/{name}/documents/{id}',
    nav: 'knowledge',
    load: () => import('./knowledge/document'),
  },
  { path: '/mcp', nav: 'mcp', load: () => import('./mcp/list') },
  { path: '/mcp/new', nav: 'mcp', load: () => import('./mcp/new') },
  { path: '/mcp/{id}', nav: 'mcp', load: () => import('./mcp/view') },
  { path: '/mcp/{id}/settings', nav: 'mcp', load: () => import('./mcp/settings') },
  // storylines
  { path: '/storylines', nav: 'storylines', load: () => import('./storylines/list') },
  { path: '/storylines/{id}', nav: 'storylines', load: () => import('./storylines/flow') },
  { path: '/storylines/{id}/people', nav: 'storylines', load: () => import('./storylines/people') },
  { path: '/storylines/{id}/funnel', nav: 'storylines', load: () => import('./storylines/funnel') },
  // reviews, handoffs, users, spaces, map
  { path: '/reviews', nav: 'reviews', load: () => import('./reviews') },
  { path: '/handoffs', nav: 'handoffs', load: () => import('./handoffs') },
  { path: '/users', nav: 'users', load: () => import('./users') },
  { path: '/users/{uid}', nav: 'users', load: () => import('./users/user') },
  { path: '/users/{uid}/map', nav: 'users', load: () => import('./map') },
  { path: '/spaces/{sid}', nav: 'users', load: () => import('./spaces/space') },
  { path: '/sessions/{sid}', nav: 'users', load: () => import('./spaces/session') },
  // overview, usage, audit, settings
  { path: '/', nav: 'overview', load: () => import('./overview/screen') },
  { path: '/usage', nav: 'usage', load: () => import('./usage/screen') },
  { path: '/audit', nav: 'audit', load: () => import('./audit/screen') },
  { path: '/settings', nav: 'settings', load: () => import('./settings/general') },
  { path: '/settings/general', nav: 'settings', load: () => import('./settings/general') },
  { path: '/settings/sign-in', nav: 'settings', load: () => import('./settings/sign-in') },
  { path: '/settings/domain', nav: 'settings', load: () => import('./settings/domain') },
  { path: '/settings/privacy', nav: 'settings', load: () => import('./settings/privacy') },
  { path: '/settings/security', nav: 'settings', load: () => import('./settings/security') },
  { path: '/settings/webhooks', nav: 'settings', load: () => import('./settings/webhooks') },
  { path: '/settings/webhooks/{id}', nav: 'settings', load: () => import('./settings/webhook') },
  { path: '/settings/channels', nav: 'settings', load: () => import('./settings/channels') },
]
