/** What this process has worked so far, in milliseconds: unlike a clock, it does not go on while others have the processor. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
