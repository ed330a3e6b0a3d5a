/**
 * `node bench/widget.mjs APP TENANT AGENT`: what the widget of a running deployment costs the page that shows it, and how
 * soon after the first press somebody can write into it. Prints the medians beside the targets.
 */
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'

const ROUNDS = 7
const PATIENCE_MS = 60_000
/** 1.6 Mbit/s and 150 ms there and back. */
const SLOW = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 200_000,
}
const TARGETS = { hostMs: 20, shift: 0, openMs: 1000 }
const WORK = ['v8.compile', 'EvaluateScript', 'FunctionCall', 'RunMicrotasks', 'FireIdleCallback']

if (import.meta.filename === process.argv[1]) {
  const [app, tenant, agent] = process.argv.slice(2)
  const found = await measureWidget({ app, tenant, agent })
  for (const [name, target] of Object.entries(TARGETS))
    console.log(`${name.padEnd(8)} ${found[name].toFixed(1).padStart(8)} of at most ${target}`)
}

/** Medians: milliseconds that the host's main thread works in the loader, the page's layout shift, milliseconds from press to composer. */
async function measureWidget({ app, tenant, agent }) {
  const site = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><title>Shop</title><h1>Shop</h1><p>${'Words. '.repeat(200)}</p>
<script src="${app}/widget.js" data-tenant="${tenant}" data-agent="${agent}" defer></script>`)
  })
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve))
  // One process for page and frame, so that one session slows both down.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-site-isolation-trials']
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args })
  const rounds = []
  try {
    for (let n = 0; n < ROUNDS; n++) {
      const context = await browser.newContext({ viewport: { width: 1024, height: 800 } })
      rounds.push(await visit(browser, await context.newPage(), site.address().port))
      await context.close()
    }
  } finally {
    await browser.close()
    site.close()
  }
  const median = (name) => rounds.map((round) => round[name]).sort((a, b) => a - b)[ROUNDS >> 1]
  return { hostMs: median('hostMs'), shift: median('shift'), openMs: median('openMs') }
}

async function visit(browser, page, port) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', SLOW)
  await browser.startTracing(page, { categories: ['devtools.timeline', 'v8'] })
  await page.goto(`http://localhost:${port}/`, { waitUntil: 'networkidle' })
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()))
  const { openMs, shift } = await page.evaluate(async (patienceMs) => {
    const began = performance.now()
    const ready = new Promise((resolve, reject) => {
      window.Parley('on', 'ready', () => resolve(performance.now() - began))
      setTimeout(() => reject(new Error('the chat did not come')), patienceMs)
    })
    window.Parley('open')
    const openMs = await ready
    const shifts = await new Promise((resolve) => {
      const observer = new PerformanceObserver((list) => resolve(list.getEntries()))
      observer.observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve([]), 500)
    })
    return { openMs, shift: shifts.reduce((sum, { value }) => sum + value, 0) }
  }, PATIENCE_MS)
  return { hostMs: workOf(traceEvents), openMs, shift }
}

/**
 * Milliseconds of processor of the events that are the loader's, each counted once: what stands inside another one is part
 * of it. By the thread's own clock: on a busy machine the thread is put aside within an event, for twice what it works there.
 */
function workOf(events) {
  const own = events
    .filter(({ name, args, dur }) => {
      const url = args?.data?.url ?? args?.fileName ?? ''
      return WORK.includes(name) && dur > 0 && url.endsWith('/widget.js')
    })
    .sort((a, b) => a.ts - b.ts)
  let end = 0
  let sum = 0
  for (const { ts, dur, tdur } of own) {
    if (ts + dur <= end) continue
    sum += tdur
    end = ts + dur
  }
  return sum / 1000
}
