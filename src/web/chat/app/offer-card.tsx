import type { ReplyEntry } from '../model/chat'

export interface OfferProps {
  reply: ReplyEntry
  send: (words: string) => void
}

/** A storyline that is offered: its first option starts it, the others leave it. */
export function OfferCard({ reply, send }: OfferProps) {
  return (
    <section class="card offer" aria-label={reply.offer ?? ''}>
      <p class="card-title" dir="auto">
        {reply.offer}
      </p>
      <div class="row">
        {reply.options.map(({ label, value }, at) => (
          <button
            key={value}
            type="button"
            class={at === 0 ? 'button primary' : 'button'}
            dir="auto"
            onClick={() => send(value)}
          >
            {label}
          </button>
        ))}
      </div>
    </section>
  )
}
