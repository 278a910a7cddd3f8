import type { RouteGraph } from './graph.ts'
import { nodeState, type RouteState, suspendedNodes, withInputsUsed, withNode } from './route-state.ts'

export interface Cancellation {
  readonly state: RouteState
  /** Nodes whose open tasks or workflows are no longer needed. */
  readonly waiting: readonly string[]
}

/**
 * When a merge goes on, what leads to it and has not arrived is over: back from it, against the transitions but for loops, up to
 * nodes that wait (contract: workflow 7.3). What such nodes have done stays done.
 */
export function planMergeCancellation(graph: RouteGraph, before: RouteState, merge: string): Cancellation {
  let state = before
  const waiting: string[] = []
  const seen = new Set([merge])
  for (const id of seen) {
    const isWaiting = id !== merge && nodeState(graph, before, id).state === 'suspended'
    if (isWaiting) continue
    for (const { source, isLoop } of graph.inputs(id)) {
      if (isLoop || seen.has(source)) continue
      seen.add(source)
      const now = nodeState(graph, state, source)
      if (now.state === 'suspended') waiting.push(source)
      // Of a merge that waited nothing has arrived any more.
      if (now.state === 'waiting') state = withInputsUsed(graph, state, source)
      const { canceled } = nodeState(graph, state, source)
      state = withNode(graph, state, source, { state: 'ready', canceled: canceled + 1 })
    }
  }
  return { state, waiting }
}

/** The instance has come to its end: whatever still waits somewhere is no longer needed. */
export function planEnd(graph: RouteGraph, before: RouteState): Cancellation {
  let state = before
  const waiting = suspendedNodes(graph, before)
  for (const id of graph.nodes.keys()) {
    const { state: now, canceled } = nodeState(graph, state, id)
    if (now === 'ready') continue
    state = withNode(graph, withInputsUsed(graph, state, id), id, { state: 'ready', canceled: canceled + 1 })
  }
  return { state, waiting }
}

/** The whole instance is given up. */
export function planCancellation(graph: RouteGraph, before: RouteState): Cancellation {
  let state = before
  for (const id of graph.nodes.keys()) {
    const { results } = nodeState(graph, state, id)
    state = withNode(graph, state, id, { state: 'canceled', results: results.map(() => false) })
  }
  return { state, waiting: suspendedNodes(graph, before) }
}
