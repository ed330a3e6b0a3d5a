import type { CallToAction } from '../../kit/turn/frames'
import type { OfferProps } from './offer-card'
import { useModule } from './use-module'

/** A call to action: its code is fetched with the first one. */
export function CtaCard({ cta }: { cta: CallToAction }) {
  const module = useModule(() => import('./cta-card'))
  return module && <module.CtaCard cta={cta} />
}

/** The offer of a storyline, likewise. */
export function OfferCard(props: OfferProps) {
  const module = useModule(() => import('./offer-card'))
  return module && <module.OfferCard {...props} />
}
