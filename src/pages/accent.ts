/** The accent colours of one theme, as CSS hex values. */
export interface AccentTokens {
  accent: string
  onAccent: string
  soft: string
  softText: string
}

type Rgb = readonly [number, number, number]

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
/** Links and focus rings also stand on the raised surface, the worst background of each theme. */
const LIGHT = { raised: [237, 240, 237], surface: WHITE } as const
const DARK = { raised: [33, 42, 38], surface: [24, 31, 28] } as const
const MIN_CONTRAST = 4.5
const STEPS = 50

/**
 * Fits a tenant's accent to both themes: darkened (light) or lightened (dark) until it reaches 4.5:1 with its
 * text colour and with the raised surface. Null when the value is not `#rrggbb`.
 */
export function fitAccent(hex: string): { light: AccentTokens; dark: AccentTokens } | null {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex)
  if (!match) return null
  const base: Rgb = [hexByte(match[1]), hexByte(match[2]), hexByte(match[3])]
  const light = towards(base, BLACK, [WHITE, LIGHT.raised])
  const ink = mix(base, BLACK, 0.85)
  const dark = towards(base, WHITE, [ink, DARK.raised])
  return {
    light: tokens(light, WHITE, mix(light, LIGHT.surface, 0.86), BLACK),
    dark: tokens(dark, ink, mix(dark, DARK.surface, 0.82), WHITE),
  }
}

/** Contrast ratio of WCAG 2.2: relative luminances of the two sRGB colours, (L1 + 0.05) / (L2 + 0.05). */
export function contrastRatio(a: Rgb, b: Rgb): number {
  const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (hi + 0.05) / (lo + 0.05)
}

function tokens(accent: Rgb, on: Rgb, soft: Rgb, pole: Rgb): AccentTokens {
  return {
    accent: toHex(accent),
    onAccent: toHex(on),
    soft: toHex(soft),
    softText: toHex(towards(accent, pole, [soft])),
  }
}

function towards(color: Rgb, pole: Rgb, against: readonly Rgb[]): Rgb {
  for (let step = 0; step < STEPS; step++) {
    const candidate = mix(color, pole, step / STEPS)
    if (against.every((other) => contrastRatio(candidate, other) >= MIN_CONTRAST)) return candidate
  }
  return pole
}

/** Rounded to whole bytes, so that what is checked is what is painted. */
function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (i: 0 | 1 | 2) => Math.round(from[i] + (to[i] - from[i]) * share)
  return [channel(0), channel(1), channel(2)]
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((byte) => {
    const c = byte / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function hexByte(pair: string | undefined): number {
  return Number.parseInt(pair ?? '0', 16)
}

function toHex(color: Rgb): string {
  return `#${color.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
