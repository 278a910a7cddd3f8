import { defineProblem } from '../../../base/problem.ts'

/** What a node does between its beginning and its end. */
export type NodeKind = 'pass' | 'task' | 'child'

/** A node as it is drawn; what becomes of it in one instance is its `NodeState`. */
export interface DrawnNode {
  readonly id: string
  readonly kind: NodeKind
  readonly isStart: boolean
  readonly isStop: boolean
  readonly merge: 'one' | 'all' | undefined
  readonly takesOnlyFirst: boolean
  readonly inputChain: string | undefined
  readonly outputChain: string | undefined
  readonly transitions: readonly DrawnTransition[]
}

export interface DrawnTransition {
  readonly name: string
  readonly target: string
  readonly condition: string
  readonly chain: string | undefined
}

/** A transition with where it comes from, and its place among those of its source. */
export interface GraphTransition extends DrawnTransition {
  readonly source: string
  readonly index: number
  /** It leads back: to its own source, or to what comes before it. */
  readonly isLoop: boolean
}

/** A workflow as a graph. */
export interface RouteGraph {
  readonly start: string
  readonly nodes: ReadonlyMap<string, DrawnNode>
  /** Of a node, in the order of its definition. */
  outputs(id: string): readonly GraphTransition[]
  inputs(id: string): readonly GraphTransition[]
}

export const notDrawable = defineProblem('notDrawable', 'failed', (of: { reason: string }) => `The workflow ${of.reason}`)

/** @throws notDrawable for none or several starts, an id that two nodes have, and transitions that lead nowhere */
export function drawGraph(drawn: readonly DrawnNode[]): RouteGraph {
  const nodes = new Map<string, DrawnNode>()
  for (const node of drawn) {
    if (nodes.has(node.id)) throw notDrawable({ reason: `has two nodes ${node.id}` })
    nodes.set(node.id, node)
  }
  const start = requireStart(drawn)
  const order = reversePostOrder(nodes, start)
  const outputs = new Map(
    drawn.map((node) => [node.id, node.transitions.map((one, index) => placed(order, node.id, one, index))]),
  )
  const inputs = new Map<string, GraphTransition[]>(drawn.map(({ id }) => [id, []]))
  for (const transition of [...outputs.values()].flat()) {
    const into = inputs.get(transition.target)
    if (into === undefined)
      throw notDrawable({ reason: `leads from ${transition.source} to ${transition.target}, which is no node` })
    into.push(transition)
  }
  return { start, nodes, outputs: (id) => outputs.get(id) ?? [], inputs: (id) => inputs.get(id) ?? [] }
}

function requireStart(drawn: readonly DrawnNode[]): string {
  const [start, ...others] = drawn.filter(({ isStart }) => isStart)
  if (start === undefined) throw notDrawable({ reason: 'has no start node' })
  if (others.length > 0) throw notDrawable({ reason: 'has several start nodes' })
  return start.id
}

function placed(order: ReadonlyMap<string, number>, source: string, drawn: DrawnTransition, index: number): GraphTransition {
  const [from, to] = [order.get(source), order.get(drawn.target)]
  return { ...drawn, source, index, isLoop: from !== undefined && to !== undefined && to <= from }
}

/** Each node's number in the order in which a walk from the start, depth first, leaves them, the last one first (contract: workflow 7.2). */
function reversePostOrder(nodes: ReadonlyMap<string, DrawnNode>, start: string): ReadonlyMap<string, number> {
  const seen = new Set([start])
  const left: string[] = []
  const path = [{ id: start, next: 0 }]
  for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
    const target = nodes.get(at.id)?.transitions[at.next]?.target
    at.next += 1
    if (target === undefined) {
      left.push(at.id)
      path.pop()
    } else if (!seen.has(target)) {
      seen.add(target)
      path.push({ id: target, next: 0 })
    }
  }
  return new Map(left.reverse().map((id, index) => [id, index]))
}
