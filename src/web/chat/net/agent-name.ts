import type { ChatBootstrap } from '../../../pages/types'

/** The page's data in its HTML; no `<` stands in it as it is. */
const BOOTSTRAP = / id="bootstrap"[^>]*>([^<]*)</

/** By which the API knows the page's agent. It may get another name while the page is open; its address stays. */
export class AgentName {
  value: string

  constructor(value: string) {
    this.value = value
  }

  /** Asks the page's address what the agent is called by now. @returns whether that is something else. */
  async renew(): Promise<boolean> {
    try {
      const response = await fetch(location.href, { cache: 'no-store' })
      const data = BOOTSTRAP.exec(await response.text())?.[1] ?? ''
      const { name } = (JSON.parse(data) as ChatBootstrap).agent
      if (!response.ok || name === this.value) return false
      this.value = name
      return true
    } catch {
      return false
    }
  }
}
