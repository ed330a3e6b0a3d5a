import type { ComponentChildren } from 'preact'

/** A long list in a place of its own height. */
export function ScrollBox({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section class="scroll-box" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
