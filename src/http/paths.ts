import type { Route } from './route'

/** All paths of the table as a tree of segments: tells 405 from 404, and answers preflights, without trying every path. */
export interface PathTree {
  /** Routes whose path ends here, each with its place in `literalFirst`'s order. */
  readonly ends: { place: number; route: Route }[]
  readonly literal: Map<string, PathTree>
  /** Below a parameter, which stands for any segment that is not empty. */
  parameter: PathTree | null
}

const newTree = (): PathTree => ({ ends: [], literal: new Map(), parameter: null })

/** `/v1/agents/{name}` → `/v1/agents/:name`. */
export function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** Sorts routes so that of two that match, the one with fewer parameters comes first. */
export function literalFirst(routes: readonly Route[]): Route[] {
  return [...routes].sort((a, b) => parameters(a.path) - parameters(b.path))
}

function parameters(path: string): number {
  return path.split('{').length - 1
}

export function compilePaths(routes: readonly Route[]): PathTree {
  const root = newTree()
  for (const [place, route] of literalFirst(routes).entries())
    for (const path of [route.path, ...(route.also ?? [])])
      path.split('/').reduce(child, root).ends.push({ place, route })
  return root
}

/** The part of the tree below a segment of a template, made when it is not there. */
function child(tree: PathTree, segment: string): PathTree {
  if (segment.startsWith('{')) {
    tree.parameter ??= newTree()
    return tree.parameter
  }
  const below = tree.literal.get(segment) ?? newTree()
  tree.literal.set(segment, below)
  return below
}

/** Every route that has the path, in the order of `literalFirst`. */
export function routesAt(paths: PathTree, path: string): Route[] {
  let reached = [paths]
  for (const segment of path.split('/'))
    reached = reached.flatMap(({ literal, parameter }) =>
      [literal.get(segment), segment === '' ? null : parameter].filter((tree) => tree != null),
    )
  return reached
    .flatMap(({ ends }) => ends)
    .sort((a, b) => a.place - b.place)
    .map(({ route }) => route)
}

/**
 * Where the page is whose address was written, or made by a program, with a slash behind it; null where there is none. A
 * call of the API has one address.
 */
export function pageBefore(
  paths: PathTree,
  { method, url }: { method: string; url: string },
  serves: (route: Route) => boolean = () => true,
): string | null {
  const { pathname, search } = new URL(url)
  if (!pathname.endsWith('/') || !['GET', 'HEAD'].includes(method)) return null
  const path = pathname.slice(0, -1)
  return routesAt(paths, path).some((route) => isPage(route) && serves(route))
    ? path + search
    : null
}

function isPage({ method, answers }: Route): boolean {
  const answer = answers[200]
  return (
    method === 'GET' &&
    typeof answer === 'object' &&
    'media' in answer &&
    answer.media === 'text/html'
  )
}

/** Methods that the path serves, empty when there is no such path. */
export function allowedMethods(paths: PathTree, path: string): string[] {
  const routes = routesAt(paths, path)
  const methods = new Set<string>(routes.map((route) => route.method))
  if (routes.some((route) => route.method === 'GET' && !route.takesEffect)) methods.add('HEAD')
  if (methods.size > 0) methods.add('OPTIONS')
  return [...methods].sort()
}

/** The parameter of one of these paths whose segment cannot be decoded, or null. Pure. */
export function malformedParameter(paths: readonly string[], pathname: string): string | null {
  const segments = pathname.split('/')
  const at = segments.findIndex((segment) => !isDecodable(segment))
  if (at === -1) return null
  const names = paths
    .map((path) => path.split('/'))
    .filter((parts) => parts.length === segments.length)
  return (
    names
      .map((parts) => /^\{(\w+)\}$/.exec(parts[at] ?? '')?.[1])
      .find((name) => name !== undefined) ?? null
  )
}

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment)
    return true
  } catch {
    return false
  }
}
