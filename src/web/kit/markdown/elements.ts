/** The elements of a reply that are more than a tag. All of them are made by hand: no HTML is ever parsed. */

/** What the page supplies for the parts of a reply that carry words of their own. */
export interface WriterLabels {
  copyCode: string
  code: string
  table: string
  done: string
  notDone: string
}

/** A link that leaves in a new tab, telling its target nothing. `href` has passed `safeHref`. */
export function link(href: string): HTMLAnchorElement {
  const anchor = document.createElement('a')
  anchor.href = href
  anchor.target = '_blank'
  anchor.rel = 'noopener noreferrer nofollow'
  return anchor
}

/** A citation mark that does nothing yet. */
export function citation(number: string): HTMLElement {
  const mark = document.createElement('sup')
  mark.className = 'cite'
  mark.dataset.cite = String(Number(number))
  mark.textContent = number
  return mark
}

/** A citation mark that opens its source. */
export function citationButton(number: number, text: string, name: string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'cite'
  button.dataset.cite = String(number)
  button.setAttribute('aria-label', name)
  button.textContent = text
  return button
}

export function append<T extends keyof HTMLElementTagNameMap>(
  parent: HTMLElement,
  tag: T,
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return parent.appendChild(element)
}

/** A code block with its language and a copy button. Returns the element that the code is written to. */
export function codeBlock(parent: HTMLElement, labels: WriterLabels): HTMLElement {
  const figure = append(parent, 'figure', { class: 'code', dir: 'ltr' })
  const bar = append(figure, 'figcaption')
  append(bar, 'span', { class: 'code-lang' })
  const button = append(bar, 'button', { type: 'button', class: 'code-copy', dir: 'auto' })
  button.dataset.copy = ''
  button.textContent = labels.copyCode
  const pre = append(figure, 'pre', { tabindex: '0', role: 'group', 'aria-label': labels.code })
  return append(pre, 'code')
}

/** A table that scrolls sideways by itself, with the keyboard too. */
export function scrollingTable(
  parent: HTMLElement,
  labels: WriterLabels,
  attributes: Record<string, string>,
): HTMLTableElement {
  const region = {
    class: 'table-scroll',
    // No landmark: a conversation may have many of the same name.
    role: 'group',
    'aria-label': labels.table,
    tabindex: '0',
  }
  return append(append(parent, 'div', { ...region, ...attributes }), 'table')
}
