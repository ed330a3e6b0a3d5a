/**
 * Whether a key is the input method's own. Safari says that a composition has ended before it tells of the key that ended
 * it; 229 is what it then reports.
 */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.isComposing || event.keyCode === 229
