import type { Route } from '../rest/route.ts'
import type { ParsedPath } from '../rest/url-path.ts'

/** What a path leads to among the fixed ones. */
export interface RouteMatch {
  readonly methods: ReadonlyMap<string, RouteEntry>
  /** The texts at the variable places, in order. */
  readonly values: readonly string[]
}

interface RouteEntry {
  readonly route: Route
  /** Of its variables, in order. */
  readonly names: readonly string[]
}

/** Finds fixed paths. A literal segment wins over a variable one; the variable is tried when the literal leads nowhere. */
export interface RouteTree {
  find(path: ParsedPath): RouteMatch | undefined
  /** Whether any path starts with this segment. */
  startsWith(segment: string): boolean
}

interface Branch {
  readonly literals: Map<string, Branch>
  variable: Branch | undefined
  /** Behind a variable of several segments. */
  several: Branch | undefined
  readonly methods: Map<string, RouteEntry>
}

const newBranch = (): Branch => ({ literals: new Map(), variable: undefined, several: undefined, methods: new Map() })

export function createRouteTree(routes: readonly Route[]): RouteTree {
  const root = newBranch()
  for (const route of routes) grow(root, route).methods.set(route.method, { route, names: variableNames(route) })
  return {
    find(path) {
      const first = path.segments[0]?.text
      // Documents are not in the tree: leave at once.
      if (root.variable === undefined && first !== undefined && !root.literals.has(first)) return undefined
      return search(root, textsOf(path), 0, [])
    },
    startsWith: (segment) => root.literals.has(segment),
  }
}

/** The variables of a path by their names. */
export function namedValues(names: readonly string[], values: readonly string[]): { readonly [name: string]: string } {
  const named: { [name: string]: string } = {}
  for (const [index, name] of names.entries()) named[name] = values[index] ?? ''
  return named
}

function variableNames(route: Route): readonly string[] {
  return splitPath(route.path)
    .filter(isVariable)
    .map((segment) => segment.replace(/^\{|\+?\}$/g, ''))
}

function grow(root: Branch, route: Route): Branch {
  let branch = root
  for (const segment of splitPath(route.path)) {
    if (segment.endsWith('+}')) {
      branch.several ??= newBranch()
      branch = branch.several
    } else if (isVariable(segment)) {
      branch.variable ??= newBranch()
      branch = branch.variable
    } else {
      const next = branch.literals.get(segment) ?? newBranch()
      branch.literals.set(segment, next)
      branch = next
    }
  }
  return branch
}

function search(branch: Branch, texts: readonly string[], index: number, values: readonly string[]): RouteMatch | undefined {
  const text = texts[index]
  if (text === undefined) return branch.methods.size === 0 ? undefined : { methods: branch.methods, values }
  const literal = branch.literals.get(text)
  const found = literal && search(literal, texts, index + 1, values)
  if (found !== undefined || text.startsWith('@')) return found
  const single = branch.variable && search(branch.variable, texts, index + 1, [...values, text])
  return single ?? (branch.several && searchBehindSeveral(branch.several, texts, index, values))
}

/** As few segments as lead on, or all that are left; an adapter is never among them. */
function searchBehindSeveral(
  branch: Branch,
  texts: readonly string[],
  start: number,
  values: readonly string[],
): RouteMatch | undefined {
  for (let end = start + 1; end <= texts.length; end++) {
    const next = texts[end]
    const leadsOn = next === undefined ? branch.methods.size > 0 : branch.literals.has(next)
    const found = leadsOn ? search(branch, texts, end, [...values, texts.slice(start, end).join('/')]) : undefined
    if (found !== undefined || next?.startsWith('@')) return found
  }
  return undefined
}

function textsOf({ segments, adapters }: ParsedPath): readonly string[] {
  return [...segments.map(({ text }) => text), ...adapters.flatMap(({ name, tail }) => [`@${name}`, ...tail])]
}

function splitPath(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function isVariable(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}')
}
