// The built bundle in one workerd with state on disk, as a process of its own that a test can kill.
// Argument: JSON {built: {bundle, options}, persist, vars}. Prints `READY <port>`; a line `cron <expression> <time>` on stdin runs the scheduled handler.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { SERVER_OPTIONS, workerOptions } from './worker-options.mjs'

const { built, persist, vars } = JSON.parse(process.argv[2] ?? '{}')
const options = convertV4MiniflareOptions({
  ...SERVER_OPTIONS,
  workers: [workerOptions(built, vars)],
})
options.resourcePersistencePath = join(persist, 'v3')
const mf = new Miniflare(options)
const url = await mf.ready
console.log(`READY ${url.port}`)
for await (const line of createInterface({ input: process.stdin })) {
  const [word, time, ...cron] = line.split(' ')
  if (word !== 'cron') continue
  const handle = await mf.getWorker()
  await handle.scheduled({ cron: cron.join(' '), scheduledTime: new Date(Number(time)) })
  console.log('CRON')
}
await mf.dispose()
