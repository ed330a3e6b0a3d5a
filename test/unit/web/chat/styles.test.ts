import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const KIT = 'src/web/kit/styles'
const SHEETS = [KIT, 'src/web/chat/styles', 'src/web/login'].flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.css'))
    .map((file) => `${folder}/${file}`),
)
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

  it('has the same dark tokens for the system and for the choice', () => {
    const css = readFileSync(`${KIT}/tokens.css`, 'utf8')
    const blocks = [...css.matchAll(/color-scheme: dark;([^}]*)\}/g)].map((m) =>
      (m[1] ?? '').replace(/\s+/g, ' ').trim(),
    )
    expect(blocks).toHaveLength(2)
    expect(blocks[0]).toBe(blocks[1])
  })
})
