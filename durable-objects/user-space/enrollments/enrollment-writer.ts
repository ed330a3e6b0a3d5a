import type { EnrollmentChange } from '../../../src/chat/storyline/desk'
import type { EnrollmentReport } from '../../../src/storylines/records'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import { headOf, sealKept } from './open-enrollment'

/** A change that is sealed, and is written by `commit`. */
export interface PreparedChange {
  change: EnrollmentChange
  keptSealed: string
  step: { n: number; sealed: string } | null
}

/** Seals what changed; to be followed by `commitChanges` in the transaction of what belongs to it. */
export async function prepareChanges(
  { stores: { enrollments } }: SpaceCore,
  keys: SpaceKeys,
  changes: readonly EnrollmentChange[],
): Promise<readonly PreparedChange[]> {
  return Promise.all(
    changes.map(async (change) => {
      const { enrollment, log } = change
      const keptSealed = await sealKept(keys, enrollment)
      if (log === null) return { change, keptSealed, step: null }
      const n = enrollments.nextStep(enrollment.id)
      const name = `${enrollment.id}:${n}`
      const sealed = await keys.seal('enrollment_steps', 'body', name, JSON.stringify(log))
      return { change, keptSealed, step: { n, sealed } }
    }),
  )
}

/** Inside a transaction: rows, step log and the reports for the directory, all or none. */
export function commitChanges(
  core: SpaceCore,
  prepared: readonly PreparedChange[],
  now: number,
): void {
  const { enrollments } = core.stores
  const { address } = core
  if (!address) return
  // What ends or rests makes room before another one of its storyline begins.
  const isOver = ({ change }: PreparedChange) => Number(change.enrollment.status === 'active')
  for (const { change, keptSealed, step } of prepared.toSorted((a, b) => isOver(a) - isOver(b))) {
    const { enrollment, counts } = change
    const { kept: _, ...head } = enrollment
    const n = enrollment.reports + 1
    enrollments.put({ ...head, reports: n }, keptSealed)
    if (step) {
      enrollments.addStep(enrollment.id, step.n, step.sealed, now)
      enrollments.dropCalls(n === 1 ? enrollment.storylineId : enrollment.id)
    }
    const report = { ...reportOf(head, address), n, counts }
    enrollments.addReport(enrollment.id, n, JSON.stringify(report))
  }
}

function reportOf(
  head: ReturnType<typeof headOf>,
  address: NonNullable<SpaceCore['address']>,
): Omit<EnrollmentReport, 'n' | 'counts'> {
  return {
    ...address,
    id: head.id,
    storylineId: head.storylineId,
    revisionId: head.revisionId,
    node: head.node,
    status: head.status,
    enteredNodeAt: head.enteredNodeAt,
    lastTurnAt: head.lastTurnAt,
    createdAt: head.createdAt,
    updatedAt: head.updatedAt,
  }
}

/** What a merge ended is told as any other change, and what it had interrupted waits for the one that goes on instead. */
export function reportMerged(core: SpaceCore): void {
  const { enrollments } = core.stores
  const { address, storage } = core
  const rows = enrollments.unreported()
  if (rows.length === 0 || !address) return
  storage.transactionSync(() => {
    for (const row of rows) {
      const n = row.reports + 1
      const counts = [{ node: row.node, kind: 'exited', name: '', n: 1 }]
      const report = { ...reportOf(headOf(row), address), n, counts }
      enrollments.addReport(row.id, n, JSON.stringify(report))
      enrollments.noteReported(row.id, n)
      restAnew(core, row.id, enrollments.goingOn(row.storyline_id))
    }
  })
}

/** What one that is gone keeps waiting waits for another one, or goes on where there is none. Inside a transaction. */
export function restAnew(core: SpaceCore, goneId: string, by: string | null): void {
  const { enrollments } = core.stores
  const { address } = core
  if (!address) return
  for (const rested of enrollments.restedBy(goneId)) {
    enrollments.restBy(rested.id, by)
    if (by !== null) continue
    const n = rested.reports + 1
    const report = { ...reportOf({ ...headOf(rested), status: 'active' }, address), n, counts: [] }
    enrollments.addReport(rested.id, n, JSON.stringify(report))
    enrollments.noteReported(rested.id, n)
  }
}
