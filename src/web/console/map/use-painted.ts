import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Camera } from './camera'
import { coloursOf } from './colours'
import { createFlatPainter } from './flat-painter'
import { createGlPainter } from './gl-painter'
import type { Painter } from './painter'
import type { Scene } from './scene'

interface Painting {
  scene: Scene
  states: Uint8Array
  camera: Camera
  isFlat: boolean
  onUndrawable: () => void
}

/**
 * Keeps a canvas painted: once a frame at most, and only when something changed. By WebGL, else by the plain canvas, else it says
 * that it cannot. `key` is the canvas's: one that has lost WebGL can do nothing else, so another takes its place.
 */
export function usePainted(canvas: RefObject<HTMLCanvasElement | null>, painting: Painting) {
  const [size, setSize] = useState({ width: 1, height: 1 })
  const [key, setKey] = useState<'gl' | 'flat'>('gl')
  const painter = useRef<Painter | null>(null)
  const frame = useRef(0)
  const latest = useRef(painting)
  latest.current = painting

  const paint = () => {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      const element = canvas.current
      if (!element || !painter.current) return
      const { width, height } = element.getBoundingClientRect()
      if (width < 1 || height < 1) return
      const ratio = Math.min(2, devicePixelRatio)
      const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)]
      if (element.width !== across || element.height !== down) {
        element.width = across
        element.height = down
      }
      const { camera, isFlat, states } = latest.current
      const style = getComputedStyle(element)
      const colours = coloursOf((token) => style.getPropertyValue(token))
      painter.current.draw(camera, { width, height, isFlat }, states, colours)
    })
  }

  useEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    const made = (key === 'gl' ? createGlPainter(element) : null) ?? createFlatPainter(element)
    if (!made) {
      // A canvas that gave a WebGL context gives no other: the plain one needs a canvas of its own.
      if (key === 'gl') setKey('flat')
      else latest.current.onUndrawable()
      return undefined
    }
    painter.current = made
    made.load(latest.current.scene)
    paint()
    const lost = (event: Event) => {
      event.preventDefault()
      setKey('flat')
    }
    element.addEventListener('webglcontextlost', lost)
    const sizes = new ResizeObserver(() => {
      const { width, height } = element.getBoundingClientRect()
      setSize({ width, height })
      paint()
    })
    sizes.observe(element)
    const themes = new MutationObserver(paint)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', paint)
    return () => {
      cancelAnimationFrame(frame.current)
      element.removeEventListener('webglcontextlost', lost)
      sizes.disconnect()
      themes.disconnect()
      dark.removeEventListener('change', paint)
      made.free()
      painter.current = null
    }
  }, [key])
  useEffect(() => {
    painter.current?.load(painting.scene)
    paint()
  }, [painting.scene])
  useEffect(paint, [painting.states, painting.camera, painting.isFlat, size])
  return { size, key }
}
