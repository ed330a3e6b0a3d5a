/** Where a click in written Markdown was on a block's Copy: puts its code on the clipboard, and says so on the button. */
export function copyCode(target: EventTarget | null, copied: string): void {
  const button = target instanceof Element ? target.closest('button[data-copy]') : null
  const code = button?.closest('figure')?.querySelector('code')?.textContent
  if (!button || !code) return
  navigator.clipboard.writeText(code).then(
    () => {
      button.textContent = copied
    },
    // Forbidden: the words on the button stay as they are.
    () => undefined,
  )
}
