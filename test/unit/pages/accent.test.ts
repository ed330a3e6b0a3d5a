import { describe, expect, it } from 'vitest'
import { contrastRatio, fitAccent } from '../../../src/pages/accent'

const COLORS = [
  '#0b6b5d',
  '#ffffff',
  '#000000',
  '#ffcc00',
  '#ff0000',
  '#0000ff',
  '#7f7f7f',
  '#00ff88',
]

function rgb(hex: string): [number, number, number] {
  return [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)) as [number, number, number]
}

describe('fitAccent', () => {
  it.each(COLORS)('%s is readable in both themes, as a button and as a link', (color) => {
    const fitted = fitAccent(color)
    if (!fitted) throw new Error('refused')
    for (const [theme, raised] of [
      [fitted.light, '#edf0ed'],
      [fitted.dark, '#212a26'],
    ] as const) {
      expect(contrastRatio(rgb(theme.accent), rgb(theme.onAccent))).toBeGreaterThanOrEqual(4.5)
      expect(contrastRatio(rgb(theme.accent), rgb(raised))).toBeGreaterThanOrEqual(4.5)
      expect(contrastRatio(rgb(theme.softText), rgb(theme.soft))).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('keeps an accent that is readable already', () => {
    expect(fitAccent('#0B6B5D')?.light.accent).toBe('#0b6b5d')
  })

  it.each(['red', '#fff', '#12345g', 'url(x)', '#0b6b5d;color:red'])('refuses %s', (value) => {
    expect(fitAccent(value)).toBeNull()
  })

  it('computes the ratio of WCAG', () => {
    expect(contrastRatio([0, 0, 0], [255, 255, 255])).toBe(21)
    expect(contrastRatio([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2)
  })
})
