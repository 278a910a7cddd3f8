import { defineProblem, type Problem } from '../base/problem.ts'
import type { VendorIdentifiers } from '../base/vendor.ts'
import { withImpliedMethods } from '../rest/method-not-allowed.ts'
import type { Registry } from '../rest/registry.ts'
import type { Description, Method, Route } from '../rest/route.ts'
import { typeNotFound } from '../rest/type-not-found.ts'
import type { ParsedPath } from '../rest/url-path.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { type Location, locate } from './location.ts'
import { createRouteTree, namedValues, type RouteMatch, type RouteTree } from './route-tree.ts'

export const nothingThere = defineProblem(
  'nothingThere',
  'notFound',
  (of: { url: string; prefix: string }) => `${of.prefix}${of.url}`,
)

// The words that a deployment with the original identifiers answers; its clients compare them (spec: security 10.2).
const originalPrefix = 'com.sun.jersey.api.NotFoundException: null for uri: '

/** What a request is aimed at, and what must be known before it is answered. */
export type Target = { readonly isProtected: boolean; readonly rawPath: string } & (
  | {
      readonly kind: 'route'
      readonly route: Route
      readonly parameters: { readonly [name: string]: string }
      readonly repository: string | undefined
    }
  | {
      readonly kind: 'resource'
      readonly path: ParsedPath
      readonly description: Description | undefined
      readonly repository: string | undefined
    }
  /** A path that is there, with a method that is not: to be refused, or to be told about with OPTIONS. */
  | { readonly kind: 'otherMethod'; readonly route: Route; readonly allowed: readonly string[] }
  | { readonly kind: 'nothing'; readonly problem: Problem }
)

export interface Targets {
  /** @throws undecodablePath */
  find(request: Pick<IncomingRequest, 'method' | 'path' | 'serverUrl'>): Target
}

type Sought = Parameters<Targets['find']>[0]
type Inside = Exclude<Location, { kind: 'outside' }>

export function createTargets(registry: Registry, basePath: string, vendored: VendorIdentifiers): Targets {
  const prefix = vendored('platform') === 'platform' ? 'Nothing found at ' : originalPrefix
  const apiRoutes = createRouteTree(registry.routes.filter(({ under }) => under === 'api'))
  const serverRoutes = createRouteTree(registry.routes.filter(({ under }) => under === 'server'))

  function find(request: Sought): Target {
    const location = locate(basePath, request.path)
    switch (location.kind) {
      case 'outside':
        return nothing(request, request.path, false)
      case 'server':
        return (
          findRoute(serverRoutes, request.method, location, undefined) ?? nothing(request, location.rawPath, location.isProtected)
        )
      case 'api':
        return findRoute(apiRoutes, request.method, location, location.repository) ?? findResource(request, location)
    }
  }

  function findResource(request: Sought, { path, rawPath, repository }: Location & { kind: 'api' }): Target {
    const first = path.segments[0]?.text
    if (first === undefined && path.adapters.length === 0) return nothing(request, rawPath, true)
    if (first !== undefined && !registry.resourceRoots.has(first)) {
      if (apiRoutes.startsWith(first)) return nothing(request, rawPath, true)
      return { kind: 'nothing', problem: typeNotFound({ segment: first }), isProtected: true, rawPath }
    }
    const description = findDescription(registry, path, request.method)
    return { kind: 'resource', path, description, repository, isProtected: true, rawPath }
  }

  function nothing(request: Sought, rawPath: string, isProtected: boolean): Target {
    const url = `${request.serverUrl}${request.path.slice(1)}`
    return { kind: 'nothing', problem: nothingThere({ url, prefix }), isProtected, rawPath }
  }

  return { find }
}

function findRoute(
  tree: RouteTree,
  method: string,
  { path, rawPath }: Inside,
  repository: string | undefined,
): Target | undefined {
  const match = tree.find(path)
  if (match === undefined) return undefined
  const entry = match.methods.get(method === 'HEAD' ? 'GET' : method)
  if (entry === undefined) return findOtherMethod(match, rawPath)
  const { route, names } = entry
  const isProtected = route.isPublic !== true
  return { kind: 'route', route, parameters: namedValues(names, match.values), repository, isProtected, rawPath }
}

function findOtherMethod({ methods }: RouteMatch, rawPath: string): Target | undefined {
  const routes = [...methods.values()].map(({ route }) => route)
  const [route] = routes
  const isProtected = routes.some(({ isPublic }) => isPublic !== true)
  return route && { kind: 'otherMethod', route, allowed: withImpliedMethods([...methods.keys()]), isProtected, rawPath }
}

function findDescription(registry: Registry, { segments, adapters }: ParsedPath, method: string): Description | undefined {
  const last = adapters.at(-1)
  const methods =
    last === undefined ? registry.resourceRoots.get(segments[0]?.text ?? '')?.methods : registry.adapters.get(last.name)?.methods
  return methods?.[method as Method]
}
