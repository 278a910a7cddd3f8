import type { ParsedPath } from '../rest/request/url-path.ts'
import type { ErrorWriter, Route } from '../rest/route.ts'

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
  /** Of a path that leads nowhere: how errors are written by the routes at and below the last place that it comes by, if all do so alike. */
  findErrorWriter(path: ParsedPath): ErrorWriter | undefined
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
      return search(root, stepsOf(path), 0, [])
    },
    startsWith: (segment) => root.literals.has(segment),
    findErrorWriter(path) {
      const [writer, ...others] = new Set(routesFrom(lastOn(root, path)).map(({ writeError }) => writeError))
      return others.length === 0 ? writer : undefined
    },
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

function lastOn(root: Branch, path: ParsedPath): Branch {
  let branch = root
  for (const { text } of stepsOf(path)) {
    const next = branch.literals.get(text) ?? branch.variable
    if (next === undefined) return branch
    branch = next
  }
  return branch
}

function routesFrom({ methods, literals, variable, several }: Branch): readonly Route[] {
  const further = [...literals.values(), variable, several].filter((branch) => branch !== undefined)
  return [...[...methods.values()].map(({ route }) => route), ...further.flatMap(routesFrom)]
}

/** One piece of a path. A segment may well begin like an adapter: `%40home.txt` is a file. */
interface Step {
  readonly text: string
  readonly isAdapter: boolean
}

function search(branch: Branch, steps: readonly Step[], index: number, values: readonly string[]): RouteMatch | undefined {
  const step = steps[index]
  if (step === undefined) return branch.methods.size === 0 ? undefined : { methods: branch.methods, values }
  const literal = branch.literals.get(step.text)
  const found = literal && search(literal, steps, index + 1, values)
  if (found !== undefined || step.isAdapter) return found
  const single = branch.variable && search(branch.variable, steps, index + 1, [...values, step.text])
  return single ?? (branch.several && searchBehindSeveral(branch.several, steps, index, values))
}

/** As few segments as lead on, or all that are left; an adapter is never among them. */
function searchBehindSeveral(
  branch: Branch,
  steps: readonly Step[],
  start: number,
  values: readonly string[],
): RouteMatch | undefined {
  const joined = (end: number) =>
    steps
      .slice(start, end)
      .map(({ text }) => text)
      .join('/')
  for (let end = start + 1; end <= steps.length; end++) {
    const next = steps[end]
    const leadsOn = next === undefined ? branch.methods.size > 0 : branch.literals.has(next.text)
    const found = leadsOn ? search(branch, steps, end, [...values, joined(end)]) : undefined
    if (found !== undefined || next?.isAdapter) return found
  }
  return undefined
}

function stepsOf({ segments, adapters }: ParsedPath): readonly Step[] {
  const inTail = (text: string): Step => ({ text, isAdapter: false })
  return [
    ...segments.map(({ text }) => inTail(text)),
    ...adapters.flatMap(({ name, tail }) => [{ text: `@${name}`, isAdapter: true }, ...tail.map(inTail)]),
  ]
}

function splitPath(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function isVariable(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}')
}
