import { useEffect } from 'preact/hooks'
import { useApp } from '../ui/context'

/** What the agent says before anybody spoke, besides the words that came with the page. */
export interface OpeningWords {
  greeting: string | null
  /** Storylines that one may begin. */
  offers: readonly { label: string; prompt: string }[]
}

/** Asks for the agent's opening in the page's language. The page's own words stand until it is there, and without it. */
export function Opening({ onRead }: { onRead: (words: OpeningWords) => void }) {
  const { boot, chat, locale } = useApp()
  useEffect(() => {
    const end = new AbortController()
    const path = `/v1/agents/${encodeURIComponent(boot.agent.name)}/opening?tenant_id=${boot.tenant.id}`
    const headers = { 'Accept-Language': locale.lang }
    fetch(path, { headers, signal: end.signal })
      .then((response) => (response.ok ? response.json() : null))
      .then((told: unknown) => {
        chat.greetingId = readGreetingId(told) ?? chat.greetingId
        onRead(readOpening(told))
      })
      .catch(() => undefined)
    return () => end.abort()
  }, [boot, chat, locale.lang])
  return null
}

function readGreetingId(told: unknown): string | undefined {
  const { greeting_id: id } = (told ?? {}) as { greeting_id?: unknown }
  return typeof id === 'string' ? id : undefined
}

function readOpening(told: unknown): OpeningWords {
  const { greeting, storylines } = (told ?? {}) as { greeting?: unknown; storylines?: unknown }
  const offers = Array.isArray(storylines) ? storylines : []
  return {
    greeting: typeof greeting === 'string' ? greeting : null,
    offers: offers.flatMap((offer: { label?: unknown; value?: unknown } | null) =>
      typeof offer?.label === 'string' && typeof offer.value === 'string'
        ? [{ label: offer.label, prompt: offer.value }]
        : [],
    ),
  }
}
