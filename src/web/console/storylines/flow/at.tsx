import type { ComponentChildren } from 'preact'

/** A field's place in the storyline, by which a finding of the check finds it. */
export function At({ path, children }: { path: string; children: ComponentChildren }) {
  return (
    <div data-path={path} class="at">
      {children}
    </div>
  )
}

/** Puts the focus into the field of a path, or into the closest around it. Returns whether there was one. */
export function focusPath(root: ParentNode, path: string): boolean {
  for (let part = path; part !== ''; part = part.slice(0, part.lastIndexOf('/'))) {
    const field = root.querySelector(`[data-path="${CSS.escape(part)}"]`)
    const input = field?.querySelector<HTMLElement>(
      'input:not([type=hidden]), textarea, select, button',
    )
    if (!input) continue
    for (
      let one = input.closest('details');
      one;
      one = one.parentElement?.closest('details') ?? null
    )
      one.open = true
    input.scrollIntoView({ block: 'center' })
    input.focus()
    return true
  }
  return false
}
