import type { Camera, View } from './camera'
import type { Colours } from './colours'
import type { Scene } from './scene'

/** Draws a scene into a canvas. */
export interface Painter {
  load(scene: Scene): void
  draw(camera: Camera, view: View, states: Uint8Array, colours: Colours): void
  free(): void
}
