import { askPart } from '../platform/stubs'
import type { SpaceCaller } from '../spaces/caller'

/**
 * Carries what is remembered of one user over to another: opened in the one object, sealed anew in the other, then gone
 * from the first. Safe to repeat after any failure: nothing arrives twice, nothing is lost.
 * @returns how many memories are new. @throws Error when either object refuses the caller.
 */
export async function moveRemembered(
  env: Env,
  from: SpaceCaller,
  to: SpaceCaller,
): Promise<number> {
  const exported = await askPart(env, from, 'carrying', 'exportAll')
  if (!exported.ok) throw new Error(`Memories cannot be read (${exported.refusal.reason})`)
  if (exported.value.length === 0) return 0
  const imported = await askPart(env, to, 'carrying', 'importAll', exported.value)
  if (!imported.ok) throw new Error(`Memories cannot be carried over (${imported.refusal.reason})`)
  const ids = exported.value.map((memory) => memory.id)
  const dropped = await askPart(env, from, 'carrying', 'dropCarried', ids)
  if (!dropped.ok) throw new Error(`Memories cannot be cleared (${dropped.refusal.reason})`)
  return imported.value
}
