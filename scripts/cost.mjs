/**
 * `npm run cost [-- --seconds 3 --chunks 10000]`: what a million turns cost at list prices (`docs/cost.md`), from the bills
 * that `npm run bench -- --only=bill` counts. `--seconds` is how long a model takes: so long the user's object is awake.
 * `--chunks` is how large the agent's base is: the vector index is asked for large ones alone.
 */
import { parseArgs } from 'node:util'

/** What an object that is awake is billed for, whatever it uses. */
const OBJECT_GB = 0.128
/** Bases from so many chunks on are in the vector index (`VECTORIZE_FROM_CHUNKS`), each with so many dimensions. */
const INDEX = { fromChunks: 20_000, dimensions: 1024 }

/** Dollars for a million of each, beyond what a plan includes. */
const PRICES = {
  'Worker requests': 0.3,
  'object calls and alarms': 0.15,
  'object rows written': 1,
  'object rows read': 0.001,
  'object GB-s': 12.5,
  'D1 rows written': 1,
  'D1 rows read': 0.001,
  // Written, read and deleted.
  'queue messages': 3 * 0.4,
  'R2 writes': 4.5,
  'R2 reads': 0.36,
  'Vectorize dimensions asked': 0.01,
}

/** What one turn uses. An alarm that is set is a row. */
const BILLS = {
  'warm, the turn alone': {
    'Worker requests': 1,
    'object calls and alarms': 3,
    'object rows written': 6.2,
    'object rows read': 201,
  },
  // The turn and what the alarms do; usage reaches D1 with every fifth turn, who was seen once an hour.
  'a turn a minute, all told': {
    'Worker requests': 1,
    'object calls and alarms': 4,
    'object rows written': 8,
    'object rows read': 220,
    'D1 rows written': 0.45,
    'D1 rows read': 4,
  },
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    chunks: { type: 'string', default: '10000' },
  },
})
printCosts(Number(values.seconds), Number(values.chunks))

function printCosts(awake, chunks) {
  if (!(awake >= 0)) throw new Error('--seconds wants how long the model takes, for example 3')
  if (!(chunks >= 0)) throw new Error('--chunks wants how large the base is, for example 10000')
  const used = Object.values(BILLS).map((bill) => ({
    ...bill,
    'object GB-s': awake * OBJECT_GB,
    'Vectorize dimensions asked': chunks >= INDEX.fromChunks ? INDEX.dimensions : 0,
  }))
  const dollars = (line, bill) => (bill[line] ?? 0) * PRICES[line]
  const lines = Object.keys(PRICES).filter((line) => used.some((bill) => bill[line] > 0))
  const row = (cells) => console.log(`| ${cells.join(' | ')} |`)
  row([`A million turns, ${awake} s of model each`, ...Object.keys(BILLS)])
  row(['---', ...used.map(() => '---:')])
  for (const line of lines) row([line, ...used.map((bill) => `$${dollars(line, bill).toFixed(2)}`)])
  const total = (bill) => lines.reduce((sum, line) => sum + dollars(line, bill), 0)
  row(['**in all**', ...used.map((bill) => `**$${total(bill).toFixed(2)}**`)])
}
