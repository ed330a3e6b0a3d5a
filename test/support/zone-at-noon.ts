/** A zone other than UTC whose clocks show about noon: no day ends there while a test runs. */
export function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours() || 1
  // Names of this area count to the west.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}
