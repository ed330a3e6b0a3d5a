import { Diff } from '../../../parts'

interface Props {
  label: string
  before: unknown
  after: unknown
}

/** A long diff is scrolled by keyboard too, so it takes the focus. */
export function DiffBox({ label, before, after }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <section tabIndex={0} aria-label={label}>
      <Diff before={before} after={after} />
    </section>
  )
}
