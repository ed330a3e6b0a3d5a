import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as zod from 'zod'
import * as late from '../../../src/wire/late-zod'

const TYPES = new Set(['core', 'input', 'output'])
const ROOT = join(import.meta.dirname, '../../..')

describe('zod as the Worker’s start has it', () => {
  it('has what the product uses of it, and nothing else', () => {
    const used = globSync('{src,durable-objects}/**/*.{ts,tsx}', { cwd: ROOT })
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .filter((text) => /from 'zod'/.test(text))
      .flatMap((text) => [...text.matchAll(/\bz\.(\w+)/g)].map(([, name = '']) => name))
      // Types alone are left out, also where a value has their name.
      .filter((name) => name in zod && !TYPES.has(name))
    expect(Object.keys(late).toSorted()).toEqual([...new Set(used)].toSorted())
  })
})
