import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const KIT = 'src/web/kit/styles'
const SHEETS = globSync('src/web/**/*.css')
// The widget's stands in its code.
const files = [...SHEETS, 'src/web/widget/style.ts']

/** A property or value that names a side of the screen instead of a side of the text. */
const PHYSICAL = [
  /(^|[\s;{])(margin|padding|border|inset|scroll-margin|scroll-padding)-(left|right)/,
  /(^|[\s;{])(left|right)\s*:/,
  /(text-align|float|clear)\s*:\s*(left|right)/,
  /border-(top|bottom)-(left|right)-radius/,
]

describe('style sheets', () => {
  it.each(files)('%s knows no left and right, so that it mirrors by itself', (file) => {
    const css = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    for (const [i, line] of css.split('\n').entries()) {
      for (const pattern of PHYSICAL) expect(`${i + 1}: ${line}`).not.toMatch(pattern)
    }
  })

  const css = readFileSync(`${KIT}/tokens.css`, 'utf8')

  it.each([
    ['light', /:root \{([^}]*)\}/],
    ['dark', /:root\[data-theme="dark"\] \{([^}]*)\}/],
  ])('has colours that can be told apart: %s (#14)', (_, block) => {
    const tokens = Object.fromEntries(
      [...(block.exec(css)?.[1] ?? '').matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map((m) =>
        m.slice(1),
      ),
    )
    const contrast = (a: string, b: string) => {
      const [one = 0, other = 0] = [a, b].map((name) => luminance(tokens[name] ?? ''))
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    }
    const grounds = ['canvas', 'surface', 'raised']
    const least = (name: string, on: string[]) => Math.min(...on.map((one) => contrast(name, one)))
    expect(least('muted', grounds)).toBeGreaterThan(5.7)
    expect(least('control', ['canvas', 'surface'])).toBeGreaterThan(3.5)
    expect(contrast('accent', 'on-accent')).toBeGreaterThan(6.4)
    for (const state of ['info', 'ok', 'warn', 'bad']) {
      expect({ state, isRead: contrast(state, 'surface') > 6 }).toEqual({ state, isRead: true })
    }
  })

  it('has the same dark tokens for the system and for the choice', () => {
    const blocks = [...css.matchAll(/color-scheme: dark;([^}]*)\}/g)].map((m) =>
      (m[1] ?? '').replace(/\s+/g, ' ').trim(),
    )
    expect(blocks).toHaveLength(2)
    expect(blocks[0]).toBe(blocks[1])
  })
})

/** Of a colour `#rrggbb`, as WCAG counts it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
