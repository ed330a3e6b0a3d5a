import type { IconFile } from '../agents/icon-files'
import type { AgentAppRow } from '../db/tables/agents'

export type AppSettings = Pick<AgentAppRow, 'tenantId' | 'installPrompt' | 'icon'>

/** Path of one of the derived pictures on this origin; null where the product's own is shown. */
export function iconPath(app: AppSettings, file: IconFile): string | null {
  return app.icon === null ? null : `/icons/${app.tenantId}/${app.icon}/${file}`
}

export function presentApp(app: AppSettings, { origin }: { origin: string }) {
  const url = (file: IconFile) => {
    const path = iconPath(app, file)
    return path === null ? null : origin + path
  }
  return {
    install_prompt: app.installPrompt,
    favicon_url: url('favicon.png'),
    icon192_url: url('192.png'),
    icon512_url: url('512.png'),
    icon_maskable_url: url('maskable.png'),
  }
}

export function auditApp(app: AppSettings) {
  return { install_prompt: app.installPrompt, icon: { set: app.icon !== null } }
}
