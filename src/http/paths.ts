import type { Route } from './route'

/** A path of the table as a pattern, to tell 405 from 404 and to answer preflights. */
export interface CompiledPath {
  pattern: RegExp
  route: Route
}

/** `/v1/agents/{name}` → `/v1/agents/:name`. */
export function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** Literal paths win over parameters. */
export function literalFirst(routes: readonly Route[]): Route[] {
  return [...routes].sort((a, b) => parameters(a.path) - parameters(b.path))
}

function parameters(path: string): number {
  return path.split('{').length - 1
}

export function compilePaths(routes: readonly Route[]): CompiledPath[] {
  return literalFirst(routes).flatMap((route) =>
    [route.path, ...(route.also ?? [])].map((path) => ({
      pattern: new RegExp(
        `^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`,
      ),
      route,
    })),
  )
}

export function routesAt(paths: readonly CompiledPath[], path: string): Route[] {
  return paths.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route)
}

/** Methods that the path serves, empty when there is no such path. */
export function allowedMethods(paths: readonly CompiledPath[], path: string): string[] {
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
