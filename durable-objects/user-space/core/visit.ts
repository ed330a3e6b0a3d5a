import type { SpaceCaller } from '../../../src/spaces/caller'
import type { SpaceKeys } from './space-keys'

/** A caller who was let in, and the keys to what they ask for. */
export interface Visit {
  caller: SpaceCaller
  keys: SpaceKeys
}
