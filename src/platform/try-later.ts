/** Not now: the job goes back to its queue with a delay and keeps its attempts. Whoever throws it sees to an end. */
export class TryLater extends Error {
  override readonly name = 'TryLater'

  constructor(readonly delayS: number) {
    super(`The job is put off by ${delayS} s`)
  }
}
