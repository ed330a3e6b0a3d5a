import { type Block, definitionsOf, readBlocks } from './blocks'
import {
  append,
  citation,
  citationButton,
  codeBlock,
  link,
  scrollingTable,
  type WriterLabels,
} from './elements'
import { type Item, type Part, wordsOf } from './parts'
import { withoutOverrides } from './references'

/** The visible number of a citation mark; with a name it is a button that opens the source. */
export interface MarkLabel {
  label: number
  name: string | null
}

/** Elements may nest this deep; what a reply nests deeper is shown as its words. */
const MAX_DEPTH = 40

/**
 * Writes Markdown into DOM nodes as it arrives. The one renderer of model and user text: it creates only the elements
 * listed here, never parses HTML, drops unsafe links and all images, and keeps direction overrides out. What is there
 * already stays as it is, but in the block that is being written.
 */
export class MarkdownWriter {
  readonly #root: HTMLElement
  readonly #labels: WriterLabels
  /** What each node shows, and the element that holds what is in it. */
  readonly #shown = new WeakMap<Node, Item>()
  readonly #holders = new WeakMap<Node, HTMLElement>()
  /** Where the last block begins in the text, and how many stand before it. */
  #from = 0
  #done = 0
  #levels = { base: 0, last: 2 }
  #defined = 0
  /** Everything written so far, as it was given. */
  text = ''

  constructor(root: HTMLElement, labels: WriterLabels) {
    this.#root = root
    this.#labels = labels
    root.replaceChildren()
  }

  write(chunk: string): void {
    this.text += chunk
    this.#show(true)
  }

  /** Ends the text: what was waiting for its other half is shown as it is. */
  end(): void {
    this.#show(false)
  }

  /** Gives the citation marks their visible numbers. With `final`, a mark without one becomes plain text. */
  label(labels: ReadonlyMap<number, MarkLabel>, final: boolean): void {
    for (const mark of this.#root.querySelectorAll<HTMLElement>('[data-cite]')) {
      const number = Number(mark.dataset.cite)
      const known = labels.get(number)
      if (known) {
        const text = String(known.label)
        if (mark.textContent !== text) mark.textContent = text
        if (known.name !== null) this.#replace(mark, citationButton(number, text, known.name))
      } else if (final) {
        this.#replace(mark, document.createTextNode(`[${number}]`))
      }
    }
  }

  #replace(mark: HTMLElement, other: Node): void {
    const shown = this.#shown.get(mark)
    if (shown !== undefined) this.#shown.set(other, shown)
    mark.replaceWith(other)
  }

  #show(open: boolean): void {
    const complete = open ? this.text.slice(0, this.text.lastIndexOf('\n') + 1) : this.text
    const definitions = definitionsOf(complete)
    // What was read without an address is read again with it.
    if (definitions.size !== this.#defined) {
      this.#defined = definitions.size
      this.#from = this.#done = 0
      this.#levels = { base: 0, last: 2 }
    }
    const rest = this.text.slice(this.#from)
    const blocks = readBlocks(withoutOverrides(rest), definitions, this.#levels, open)
    this.#patch(
      this.#root,
      blocks.map(({ part }) => part),
      this.#done,
      0,
    )
    this.#settle(rest, blocks)
  }

  /** All blocks but the last are as they stay. */
  #settle(rest: string, blocks: readonly Block[]): void {
    const last = blocks.at(-1)
    if (!last || last.line === 0) return
    let at = 0
    for (let line = 0; line < last.line; line++) at = rest.indexOf('\n', at) + 1
    this.#from += at
    this.#done += blocks.length - 1
    this.#levels = last.levels
  }

  /** Makes the nodes of an element those of some items, from the n-th on; those that show the same stay. */
  #patch(parent: HTMLElement, items: readonly Item[], from: number, depth: number): void {
    for (const [at, item] of items.entries()) {
      const node = parent.childNodes[from + at]
      const shown = node && this.#shown.get(node)
      if (node && shown !== undefined && this.#goesOn(node, shown, item, depth)) continue
      const made = this.#create(item, parent, depth)
      if (node) node.replaceWith(made)
      else parent.append(made)
    }
    while (parent.childNodes.length > from + items.length) parent.lastChild?.remove()
  }

  /** @returns false where the node cannot become what the item is. */
  #goesOn(node: Node, shown: Item, item: Item, depth: number): boolean {
    if (typeof item === 'string' || typeof shown === 'string') {
      if (typeof item !== 'string' || !(node instanceof Text)) return false
      // Added to, a text keeps what the reader has selected in it.
      if (item.startsWith(node.data)) node.appendData(item.slice(node.data.length))
      else node.data = item
    } else {
      if (shown.tag !== item.tag || shown.value !== item.value) return false
      const holder = this.#holders.get(node)
      if (holder) this.#patch(holder, item.parts, 0, depth + 1)
    }
    this.#shown.set(node, item)
    return true
  }

  #create(item: Item, parent: HTMLElement, depth: number): Node {
    if (typeof item === 'string' || depth >= MAX_DEPTH) {
      const text = document.createTextNode(wordsOf(item))
      this.#shown.set(text, text.data)
      return text
    }
    const box = document.createElement('div')
    const holder = this.#element(item, box)
    const node = box.firstChild ?? box
    this.#shown.set(node, item)
    if (holder) {
      // Only outer blocks: an element that decides for itself is left out when its parent looks for its direction.
      if (parent === this.#root && item.tag !== 'hr' && item.tag !== 'pre')
        (node as HTMLElement).dir = 'auto'
      this.#holders.set(node, holder)
      this.#patch(holder, item.parts, 0, depth + 1)
    }
    return node
  }

  /** Puts the element of a part into a box. @returns what holds the parts of it. */
  #element({ tag, value }: Part, box: HTMLElement): HTMLElement | null {
    switch (tag) {
      case 'pre': {
        const code = codeBlock(box, this.#labels)
        const label = box.querySelector('.code-lang')
        if (label) label.textContent = String(value)
        return code
      }
      case 'code':
        return append(box, 'code', { dir: 'ltr' })
      case 'math':
        return append(box, 'code', { dir: 'ltr', class: 'math' })
      case 'table':
        return scrollingTable(box, this.#labels, {})
      case 'th':
        return append(box, 'th', { scope: 'col' })
      case 'a':
        return box.appendChild(link(String(value)))
      case 'cite':
        box.append(citation(String(value)))
        return null
      case 'check':
        append(box, 'span', {
          class: value ? 'check is-checked' : 'check',
          role: 'img',
          'aria-label': value ? this.#labels.done : this.#labels.notDone,
        })
        return null
      case 'ol': {
        const list = append(box, 'ol')
        if (value === undefined) return list
        list.setAttribute('start', String(value))
        // A year is wider than the room that lists have for their numbers.
        if (Number(value) > 99) list.style.paddingInlineStart = `${String(value).length + 2}ch`
        return list
      }
      default:
        return append(box, tag as 'p')
    }
  }
}
