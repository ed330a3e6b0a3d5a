/** Parts of a colour, 0 to 1. */
export type Rgb = readonly [number, number, number]

export interface Colours {
  memory: Rgb
  knowledge: Rgb
  match: Rgb
  text: Rgb
  line: Rgb
  ground: Rgb
}

/** Reads `#0b6b5d`; anything else is grey, which shows on every ground. */
export function readHex(text: string): Rgb {
  const hex = /^#([0-9a-f]{6})$/i.exec(text.trim())?.[1]
  if (hex === undefined) return [0.5, 0.5, 0.5]
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return [part(0), part(2), part(4)]
}

/** The theme's colours by the value of each token. */
export function coloursOf(tokenValue: (token: string) => string): Colours {
  const read = (name: string) => readHex(tokenValue(name))
  return {
    memory: read('--accent'),
    knowledge: read('--info'),
    match: read('--warn'),
    text: read('--text'),
    line: read('--line'),
    ground: read('--surface'),
  }
}

export const asCss = ([r, g, b]: Rgb, alpha = 1): string =>
  `rgb(${Math.round(r * 255)} ${Math.round(g * 255)} ${Math.round(b * 255)} / ${alpha})`

export const mixed = (one: Rgb, other: Rgb, share: number): Rgb => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
]
