import { expect, it } from 'vitest'
import { ChunkStore } from '../../../durable-objects/knowledge-base/chunk-store'
import { chunkRow } from '../../../durable-objects/knowledge-base/rows'
import { KNOWLEDGE_BASE_MIGRATIONS } from '../../../durable-objects/knowledge-base/schema'
import { migrate } from '../../../durable-objects/migrate'
import { preparePassage } from '../../../src/knowledge/prepare-passage'
import { NodeStorage } from '../../support/node-object'

it('a passage’s sketch is read once, until passages come or go', () => {
  const storage = new NodeStorage().open(() => undefined)
  migrate(storage, KNOWLEDGE_BASE_MIGRATIONS)
  const asked: unknown[] = []
  const sql = {
    exec: (query: string, ...values: SqlStorageValue[]) => {
      if (query.startsWith('SELECT id, sketch')) asked.push(...JSON.parse(String(values[0])))
      return storage.sql.exec(query, ...values)
    },
  } as SqlStorage
  const chunks = new ChunkStore(sql)
  const sketchOf = (text: string) => preparePassage('Guide', { text, heading: null })
  const add = (n: number, text: string) =>
    chunks.add(
      chunkRow(1, n),
      { n, text, heading: null, page: null, start: 0, end: 1 },
      sketchOf(text),
    )
  const [first, second, gone] = [0, 1, 2].map((n) => chunkRow(1, n)) as [number, number, number]
  const read = () =>
    [...chunks.readSketches([first, second, gone])].map(([row, sketch]) => [
      row,
      new Uint8Array(sketch),
    ])
  add(0, 'Refunds take a week.')
  add(1, 'The ferry leaves at nine.')
  const week = new Uint8Array(sketchOf('Refunds take a week.').sketch)
  const ferry = new Uint8Array(sketchOf('The ferry leaves at nine.').sketch)
  const both = [
    [first, week],
    [second, ferry],
  ]
  expect([read(), read()]).toEqual([both, both])
  // What is not there is looked for each time.
  expect(asked).toEqual([first, second, gone, gone])
  chunks.remove(first, first)
  expect(read()).toEqual([[second, ferry]])
  add(0, 'The ferry leaves at nine.')
  expect(read()).toEqual([
    [first, ferry],
    [second, ferry],
  ])
})
