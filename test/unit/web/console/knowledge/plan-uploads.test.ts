import { describe, expect, it } from 'vitest'
import type { Document } from '../../../../../src/web/console/knowledge/base'
import {
  MOST_BYTES,
  outcomesOf,
  planUploads,
  refusalOf,
} from '../../../../../src/web/console/knowledge/plan-uploads'

const MIB = 1024 * 1024
const file = (name: string, size = 1) => ({ name, size })
const names = (requests: { name: string }[][]) => requests.map((one) => one.map(({ name }) => name))

describe('files by request', () => {
  it('go together up to some bytes and some files', () => {
    const five = [3, 3, 3, 9, 1].map((size, n) => file(`${n}.md`, size * MIB))
    expect(names(planUploads(five).requests)).toEqual([
      ['0.md', '1.md'],
      ['2.md'],
      ['3.md'],
      ['4.md'],
    ])
    const many = Array.from({ length: 45 }, (_, n) => file(`${n}.md`))
    expect(planUploads(many).requests.map(({ length }) => length)).toEqual([20, 20, 5])
  })

  it('a zip goes alone, and what no request carries stands apart', () => {
    const plan = planUploads([
      file('a.md'),
      file('Folder.ZIP'),
      file('b.md'),
      file('exact.pdf', MOST_BYTES),
      file('film.pdf', MOST_BYTES + 1),
    ])
    expect(names(plan.requests)).toEqual([['Folder.ZIP'], ['a.md', 'b.md'], ['exact.pdf']])
    expect(plan.tooLarge.map(({ name }) => name)).toEqual(['film.pdf'])
    expect(planUploads([])).toEqual({ requests: [], tooLarge: [] })
  })
})

describe('what came of each', () => {
  it('says it path by path', () => {
    const answer = {
      imported: 1,
      documents: [{ path: 'a.md' } as Document],
      skipped: [
        { path: 'b.md', reason: 'unchanged' },
        { path: 'c.exe', reason: 'No document.' },
      ],
      failed: [{ path: 'd.md', reason: 'The file could not be stored; upload it again.' }],
    }
    expect(outcomesOf(answer)).toEqual([
      { path: 'a.md', state: 'added', reason: null },
      { path: 'b.md', state: 'unchanged', reason: null },
      { path: 'c.exe', state: 'refused', reason: 'No document.' },
      {
        path: 'd.md',
        state: 'refused',
        reason: 'The file could not be stored; upload it again.',
      },
    ])
  })

  it('takes the refusal of a lone file as its own, and none that is of all', () => {
    const refused = { status: 415, detail: 'Unsupported file type', body: { reason: 'A film.' } }
    const own = { path: 'film.mov', state: 'refused', reason: 'A film.' }
    expect(refusalOf([file('film.mov')], refused)).toEqual(own)
    expect(refusalOf([file('film.mov')], { ...refused, body: null })).toEqual({
      ...own,
      reason: 'Unsupported file type',
    })
    expect(refusalOf([file('a.md'), file('b.md')], refused)).toBeNull()
    expect(refusalOf([file('a.md')], { ...refused, status: 429 })).toBeNull()
  })
})
