import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/** A test set's passages and questions; `folder` holds corpus.jsonl and queries.jsonl. */
export function readSet(folder) {
  return {
    name: basename(resolve(folder)),
    corpus: readLines(join(folder, 'corpus.jsonl')),
    queries: readLines(join(folder, 'queries.jsonl')),
  }
}

function readLines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
}
