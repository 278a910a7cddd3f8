import type { RouteGraph } from './graph.ts'

/** Where a node stands in one instance between two requests. */
export interface NodeState {
  readonly state: 'ready' | 'waiting' | 'suspended' | 'canceled'
  /** How often it was entered, and how often cancelled by a merge. */
  readonly count: number
  readonly canceled: number
  /** Of its transitions, in their order: whether each was last found true and no merge has used it up since. */
  readonly results: readonly boolean[]
}

/** All that the engine has to know of an instance. What is absent is a node that nothing has happened to. */
export type RouteState = ReadonlyMap<string, NodeState>

export function nodeState(graph: RouteGraph, state: RouteState, id: string): NodeState {
  return state.get(id) ?? { state: 'ready', count: 0, canceled: 0, results: graph.outputs(id).map(() => false) }
}

export function withNode(graph: RouteGraph, state: RouteState, id: string, change: Partial<NodeState>): RouteState {
  return new Map(state).set(id, { ...nodeState(graph, state, id), ...change })
}

/** Nodes that wait for a task or another workflow. */
export function suspendedNodes(graph: RouteGraph, state: RouteState): readonly string[] {
  return [...graph.nodes.keys()].filter((id) => nodeState(graph, state, id).state === 'suspended')
}

/** How many of the transitions into a node are true, of how many. */
export function arrivals(graph: RouteGraph, state: RouteState, id: string): { readonly arrived: number; readonly all: number } {
  const inputs = graph.inputs(id)
  const arrived = inputs.filter(({ source, index }) => nodeState(graph, state, source).results[index] === true).length
  return { arrived, all: inputs.length }
}

/** What led to the node is used up. */
export function withInputsUsed(graph: RouteGraph, state: RouteState, id: string): RouteState {
  let used = state
  for (const { source, index } of graph.inputs(id)) {
    const { results } = nodeState(graph, used, source)
    if (results[index]) used = withNode(graph, used, source, { results: results.with(index, false) })
  }
  return used
}
