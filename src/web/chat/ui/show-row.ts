/** Brings a source's row into sight and the keyboard to it, where it is drawn by now. */
export function showRow(reply: HTMLElement | null, label: number): void {
  const row = reply?.querySelector(`[data-source~="${label}"]`)
  row?.scrollIntoView({ block: 'nearest' })
  row?.querySelector<HTMLElement>('button, a')?.focus({ preventScroll: true })
}
