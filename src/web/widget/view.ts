import type { Options } from './options'
import { SMALL, sheetFor } from './style'
import { nameIn } from './words'

const SVG = 'http://www.w3.org/2000/svg'
const BUBBLE = 'M4 5h16v12h-9l-4.5 3.5V17H4zM8 9.5h8M8 12.5h5'
const CROSS = 'M6 6l12 12M18 6L6 18'

/** What stands on the page: launcher and panel, in a shadow root that scripts of the page cannot open. */
export class View {
  readonly #host = document.createElement('div')
  readonly #panel: HTMLElement
  readonly #dialog: HTMLDialogElement | null
  readonly #launcher: HTMLButtonElement | null
  readonly #count = document.createElement('span')
  readonly #icon = document.createElementNS(SVG, 'path')
  readonly #small = matchMedia(SMALL)
  readonly #options: Options
  #unread = 0
  #opener: Element | null = null
  isOpen = false

  /** @param onPress the launcher, or what else closes the panel, was used. @param onNear somebody is about to open it. */
  constructor(
    options: Options,
    target: Element | null,
    onPress: (wanted: boolean) => void,
    onNear: () => void,
  ) {
    this.#options = options
    this.#host.dir = getComputedStyle(document.body).direction
    const root = this.#host.attachShadow({ mode: 'closed' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(sheetFor(options, target !== null))
    root.adoptedStyleSheets = [sheet]
    this.#dialog = target ? null : document.createElement('dialog')
    this.#panel = this.#dialog ?? document.createElement('div')
    this.#panel.id = 'panel'
    this.#panel.className = target ? 'panel inline' : 'panel'
    this.#launcher = target || options.launcher === 'none' ? null : this.#makeLauncher(options)
    root.append(this.#panel)
    if (this.#launcher) {
      root.append(this.#launcher)
      this.#launcher.addEventListener('click', () => onPress(!this.isOpen))
      for (const type of ['pointerenter', 'focus'])
        this.#launcher.addEventListener(type, onNear, { once: true })
    } else this.#panel.classList.add('alone')
    if (this.#dialog) {
      this.#dialog.addEventListener('cancel', (event) => {
        event.preventDefault()
        onPress(false)
      })
      root.addEventListener('keydown', (event) => {
        if ((event as KeyboardEvent).key === 'Escape' && this.isOpen) onPress(false)
      })
      this.#small.addEventListener('change', this.#fit)
    }
    if (options.accent !== null) this.paint(options.accent)
    this.#name()
    // Beside the body: a site may move it, and many replace it whole when the reader goes on to another page.
    ;(target ?? document.documentElement).append(this.#host)
    if (target || !this.#host.offsetParent) return
    // The root moves what is fixed along (`transform`): above the page it does not.
    this.#host.popover = 'manual'
    this.#host.showPopover?.()
  }

  /** The frame stands in the panel from now on. */
  hold(frame: HTMLElement): void {
    frame.title = this.#called
    this.#panel.prepend(frame)
  }

  show(): void {
    this.#opener = document.activeElement
    this.isOpen = true
    this.#fit()
    this.#name()
  }

  /** Closes the panel; the focus goes back to where it came from. */
  hide(): void {
    this.isOpen = false
    this.#dialog?.close()
    this.#name()
    const back = this.#launcher ?? this.#opener
    if (back instanceof HTMLElement) back.focus()
  }

  paint(accent: string): void {
    this.#host.style.setProperty('--parley', accent)
  }

  widen(): void {
    this.#panel.classList.toggle('wide')
  }

  count(unread: number): void {
    this.#unread = unread
    this.#count.textContent = String(unread)
    this.#count.hidden = unread === 0
    this.#name()
  }

  remove(): void {
    this.#small.removeEventListener('change', this.#fit)
    this.#host.remove()
  }

  /** On a small screen the panel is all there is; elsewhere it stands beside the page, which stays usable. */
  readonly #fit = (): void => {
    if (!this.isOpen || !this.#dialog) return
    if (this.#dialog.open) this.#dialog.close()
    if (this.#small.matches) this.#dialog.showModal()
    // `show()` would take the focus, also where nobody pressed anything.
    else this.#dialog.open = true
  }

  get #called(): string {
    return this.#options.label ?? nameIn(this.#options.lang)
  }

  #name(): void {
    const words = this.#called
    this.#panel.ariaLabel = words
    this.#icon.setAttribute('d', this.isOpen ? CROSS : BUBBLE)
    if (!this.#launcher) return
    this.#launcher.ariaLabel = this.#unread > 0 ? `${words} (${this.#unread})` : words
    this.#launcher.ariaExpanded = String(this.isOpen)
  }

  #makeLauncher({ launcher }: Options): HTMLButtonElement {
    const button = document.createElement('button')
    button.className = 'launcher'
    button.setAttribute('aria-controls', 'panel')
    const svg = document.createElementNS(SVG, 'svg')
    svg.setAttribute('viewBox', '0 0 24 24')
    svg.append(this.#icon)
    button.append(svg)
    if (launcher === 'label') {
      button.classList.add('has-label')
      button.append(this.#called)
    }
    this.#count.className = 'count'
    this.#count.hidden = true
    button.append(this.#count)
    return button
  }
}
