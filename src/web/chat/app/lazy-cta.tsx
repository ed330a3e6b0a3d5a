import type { CallToAction } from '../model/frames'
import { useModule } from './use-module'

/** A call to action: its code is fetched with the first one. */
export function CtaCard({ cta }: { cta: CallToAction }) {
  const module = useModule(() => import('./cta-card'))
  return module && <module.CtaCard cta={cta} />
}
