/** Upper ends of the classes of time that is spent at a node, in seconds. */
const CLASSES = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400, 604_800] as const

/** The class of a duration by its upper end; what is longer than all is `more`. */
export function durationClass(seconds: number): string {
  return String(CLASSES.find((end) => seconds <= end) ?? 'more')
}
