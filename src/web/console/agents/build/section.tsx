import type { ComponentChildren } from 'preact'

interface Props {
  id: SectionId
  title: string
  hint?: string
  children: ComponentChildren
}

export const SECTIONS = [
  'instructions',
  'grounding',
  'toolsAndSkills',
  'answering',
  'conversation',
  'languages',
  'plan',
] as const
export type SectionId = (typeof SECTIONS)[number]

const domId = (id: SectionId) => `agent-${id}`

/** A part of the agent's form. Its title can be gone to. */
export function Section({ id, title, hint, children }: Props) {
  return (
    <section class="card stack agent-section" aria-labelledby={domId(id)}>
      <div>
        <h2 id={domId(id)} tabIndex={-1}>
          {title}
        </h2>
        {hint && <p class="muted small">{hint}</p>}
      </div>
      {children}
    </section>
  )
}

/** Goes to a part by its title; the address is the screen's own. */
export function goToSection(id: SectionId): void {
  const title = document.getElementById(domId(id))
  title?.scrollIntoView({ block: 'start' })
  title?.focus({ preventScroll: true })
}
