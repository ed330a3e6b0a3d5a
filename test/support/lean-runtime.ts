import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { D1_PLUGIN, QUEUES_PLUGIN, R2_PLUGIN, SharedBindings } from 'miniflare'

/**
 * For each queue, bucket and database miniflare starts a Worker that finds the object beside the one that holds it, and its
 * database holds every statement against a schema first. Here each kind of storage is one Worker, and the database is
 * test/fakes/d1-worker.ts, which answers the same: a start costs a fifth less, a statement two thirds.
 * While `isWhole` is true, what starts is miniflare's own.
 */
export const runtime = { isWhole: false }

interface Service {
  name: string
  worker: {
    modules: { name: string; esModule: string }[]
    bindings: { name: string; durableObjectNamespace?: { className: string } }[]
  }
}
interface QueueBinding {
  name: string
  queue: { name: string; entrypoint?: string }
}
interface Plugin {
  getBindings(...options: unknown[]): unknown
  getServices(options: unknown): unknown
}

const { DURABLE_OBJECT_NAMESPACE_OBJECT: OBJECT, MAYBE_SERVICE_LOOPBACK: LOOPBACK } = SharedBindings
const BROKER = 'queues:queue'
const QUEUE = `${BROKER}:`
const D1_SOURCE = join(import.meta.dirname, '..', 'fakes', 'd1-worker.ts')
const D1_MODULE = transformSync(readFileSync(D1_SOURCE, 'utf8'), { loader: 'ts' }).code

function change(given: unknown, leaner: (services: Service[]) => Service[]): Plugin {
  const plugin = given as Plugin
  const whole = plugin.getServices.bind(plugin)
  plugin.getServices = async (options) => {
    const services = (await whole(options)) as Service[]
    return runtime.isWhole || services.length === 0 ? services : leaner(services)
  }
  return plugin
}

/** @throws Error when there is none: miniflare is another than the one this was written for */
function take(services: Service[], isMeant: (name: string) => boolean): Service {
  const service = services.find(({ name }) => isMeant(name))
  if (!service) throw new Error('miniflare has no such Worker')
  return service
}

/** The object's Worker with what finds its objects before it. */
function joined({ worker }: Service, entry: Service, main: string): Service['worker'] {
  const { bindings } = entry.worker
  const { className = '' } =
    bindings.find(({ name }) => name === OBJECT)?.durableObjectNamespace ?? {}
  const [found, held] = [entry, { worker }].map(({ worker: { modules } }) => modules[0]?.esModule)
  return {
    ...worker,
    modules: [
      { name: 'main.js', esModule: main },
      { name: 'entry.js', esModule: found ?? '' },
      { name: 'object.js', esModule: held ?? '' },
    ],
    bindings: [
      ...worker.bindings.filter(({ name }) => name !== OBJECT),
      { name: OBJECT, durableObjectNamespace: { className } },
    ],
  }
}

change(R2_PLUGIN, (services) => {
  const entry = take(services, (name) => name === 'r2:bucket:entry')
  const object = take(services, (name) => name === 'r2:bucket')
  const main = "export { default } from 'entry.js'; export * from 'object.js'"
  const worker = joined(object, entry, main)
  return [...without(services, entry, object), { ...entry, worker }]
})

change(D1_PLUGIN, (services) => {
  const entry = take(services, (name) => name === 'd1:db:entry')
  const object = take(services, (name) => name === 'd1:db')
  const modules = [{ name: 'd1-worker.js', esModule: D1_MODULE }]
  const worker = { ...joined(object, entry, ''), modules }
  return [...without(services, entry, object), { ...entry, worker }]
})

/** What sends to a queue says nothing of itself to its Worker, so each queue is an entry of it. */
const queues = change(QUEUES_PLUGIN, (services) => {
  const broker = take(services, (name) => name === BROKER)
  const senders = services.filter(({ name }) => name.startsWith(QUEUE))
  const exported = senders.map(
    ({ name }) => `export const ${entryOf(name)} = sender('${name.slice(QUEUE.length)}')`,
  )
  const main = `import entry from 'entry.js'
    export * from 'object.js'
    const sender = (MINIFLARE_NAMESPACE) => ({
      fetch: (request, env) => entry.fetch(request, env, { props: { MINIFLARE_NAMESPACE } }),
    })
    ${exported.join('\n')}`
  const worker = joined(
    broker,
    take(senders, () => true),
    main,
  )
  // It would tell miniflare of every batch.
  const bindings = worker.bindings.filter(({ name }) => name !== LOOPBACK)
  return [...without(services, broker, ...senders), { ...broker, worker: { ...worker, bindings } }]
})
const wholeBindings = queues.getBindings.bind(queues)
queues.getBindings = (...options) => {
  const bindings = wholeBindings(...options) as QueueBinding[]
  if (runtime.isWhole) return bindings
  return bindings.map(({ name, queue }) => ({
    name,
    queue: { name: BROKER, entrypoint: entryOf(queue.name) },
  }))
}

function entryOf(queue: string): string {
  return queue.replaceAll(/\W/g, '_')
}

function without(services: Service[], ...gone: Service[]): Service[] {
  return services.filter((service) => !gone.includes(service))
}
