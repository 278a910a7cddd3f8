import { defineProblem } from '../../../base/problem.ts'
import type { GraphTransition, RouteGraph } from './graph.ts'
import { planEnd, planMergeCancellation } from './plan-cancel.ts'
import { arrivals, nodeState, type RouteState, suspendedNodes, withInputsUsed, withNode } from './route-state.ts'

/** What the engine wants done before it goes on. `decide` is answered with whether the condition holds. */
export type RouteEffect =
  | { readonly kind: 'enter' | 'leave' | 'openTasks' | 'cancelWaiting' | 'openChild'; readonly node: string }
  | { readonly kind: 'runChain'; readonly node: string; readonly chain: string; readonly of: 'input' | 'output' }
  | { readonly kind: 'runChain'; readonly node: string; readonly chain: string; readonly transition: string }
  | { readonly kind: 'decide'; readonly node: string; readonly transition: GraphTransition }
  | { readonly kind: 'finish'; readonly node: string }

/** How a run ended: the state of all nodes, and whether the workflow is done. */
export interface RouteOutcome {
  readonly state: RouteState
  readonly isDone: boolean
  /** How many nodes were gone through by now, those before it included. */
  readonly visits: number
}

export const noWayOn = defineProblem(
  'noWayOn',
  'invalid',
  (of: { node: string; action: string | undefined }) =>
    `No transition of the node ${of.node} is open${of.action === undefined ? '' : ` after ${of.action}`}. Nothing was changed; choose another action, or fill in what its conditions ask for.`,
)

export const looping = defineProblem(
  'looping',
  'failed',
  (of: { node: string; max: number }) =>
    `Execution is looping: more than ${of.max} nodes were gone through at once, with those of the workflows that it begins; the last one was ${of.node}. A task in the loop would end that.`,
)

export const nodeBusy = defineProblem(
  'nodeBusy',
  'failed',
  (of: { node: string }) => `The workflow comes to the node ${of.node} again, which still waits. Let it merge what leads to it.`,
)

export const endedTooSoon = defineProblem(
  'endedTooSoon',
  'failed',
  (of: { node: string; pending: readonly string[] }) =>
    `The workflow ends at ${of.node} while it has to go on at ${of.pending.join(', ')}. Let these merge before the end.`,
)

export const neverGoingOn = defineProblem(
  'neverGoingOn',
  'failed',
  (of: { waiting: readonly string[] }) =>
    `The workflow would wait for ever at ${of.waiting.join(', ')}: nothing is left that could lead there.`,
)

export const notResumable = defineProblem(
  'notResumable',
  'conflict',
  (of: { node: string; state: string }) => `The node ${of.node} is ${of.state} and cannot be resumed: it waits for nothing.`,
)

const maxVisits = 100

/** Why the engine runs: an instance begins, or a node that waited goes on. */
export type RouteCause =
  | { readonly kind: 'start' }
  /** `isForced`: also a merge that waits, which then looks again whether enough has come. */
  | { readonly kind: 'resume'; readonly node: string; readonly action?: string | undefined; readonly isForced?: boolean }

/**
 * Runs an instance until all that is left waits: state and cause in, state and effects out (contract: workflow 7.2). Each effect is
 * done before the next is asked for, so that conditions see what chains have set. Nothing is kept outside of the generator: when an
 * effect fails, the state that was handed in still holds. `visited` counts the nodes that the request has gone through before, in this
 * instance and in those that began it or were begun by it: a circle of workflows loops as one of nodes does.
 * @throws notResumable, noWayOn, looping, nodeBusy, endedTooSoon, neverGoingOn
 */
export function* planRun(
  graph: RouteGraph,
  before: RouteState,
  cause: RouteCause,
  visited = 0,
): Generator<RouteEffect, RouteOutcome, boolean> {
  let state = before
  let visits = visited
  const resumed = cause.kind === 'resume' ? cause.node : undefined
  if (cause.kind === 'resume') requireResumable(graph, state, cause)
  const queue: string[] = [resumed ?? graph.start]
  let isResumed = resumed !== undefined && nodeState(graph, state, resumed).state === 'suspended'
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    visits += 1
    if (visits > maxVisits) throw looping({ node: id, max: maxVisits })
    const node = graph.nodes.get(id)
    if (node === undefined) throw notResumable({ node: id, state: 'absent' })
    if (isResumed) isResumed = false
    else {
      const entered = yield* enter(graph, state, id)
      state = entered.state
      if (entered.isWaiting) continue
    }
    const left = yield* leave(graph, state, id, cause)
    state = left.state
    if (node.isStop) {
      if (queue.length > 0) throw endedTooSoon({ node: id, pending: queue })
      const ended = planEnd(graph, state)
      for (const other of ended.waiting) yield { kind: 'cancelWaiting', node: other }
      yield { kind: 'finish', node: id }
      return { state: ended.state, isDone: true, visits }
    }
    for (const { target } of left.taken) if (!queue.includes(target)) queue.push(target)
  }
  requireGoingOn(graph, state)
  return { state, isDone: false, visits }
}

function requireResumable(graph: RouteGraph, state: RouteState, cause: Extract<RouteCause, { kind: 'resume' }>): void {
  const { state: found } = nodeState(graph, state, cause.node)
  const isKnown = graph.nodes.has(cause.node)
  if (isKnown && (found === 'suspended' || (cause.isForced === true && found === 'waiting'))) return
  throw notResumable({ node: cause.node, state: isKnown ? found : 'absent' })
}

interface Entered {
  readonly state: RouteState
  /** It stays there until something else happens. */
  readonly isWaiting: boolean
}

function* enter(graph: RouteGraph, before: RouteState, id: string): Generator<RouteEffect, Entered, boolean> {
  const node = graph.nodes.get(id)
  const now = nodeState(graph, before, id)
  if (now.state === 'suspended') throw nodeBusy({ node: id })
  let state = before
  if (node?.merge !== undefined) {
    const { arrived, all } = arrivals(graph, state, id)
    if (node.merge === 'one' ? arrived < 1 : arrived < all) {
      return { state: withNode(graph, state, id, { state: 'waiting' }), isWaiting: true }
    }
    const cancelled = planMergeCancellation(graph, state, id)
    state = cancelled.state
    for (const other of cancelled.waiting) yield { kind: 'cancelWaiting', node: other }
  }
  state = withInputsUsed(graph, state, id)
  state = withNode(graph, state, id, { state: 'ready', count: now.count + 1 })
  yield { kind: 'enter', node: id }
  if (node?.inputChain !== undefined) yield { kind: 'runChain', node: id, chain: node.inputChain, of: 'input' }
  if (node === undefined || node.kind === 'pass') return { state, isWaiting: false }
  yield { kind: node.kind === 'task' ? 'openTasks' : 'openChild', node: id }
  return { state: withNode(graph, state, id, { state: 'suspended' }), isWaiting: true }
}

interface Left {
  readonly state: RouteState
  readonly taken: readonly GraphTransition[]
}

function* leave(graph: RouteGraph, before: RouteState, id: string, cause: RouteCause): Generator<RouteEffect, Left, boolean> {
  const node = graph.nodes.get(id)
  if (node?.outputChain !== undefined) yield { kind: 'runChain', node: id, chain: node.outputChain, of: 'output' }
  const outputs = graph.outputs(id)
  const results = outputs.map(() => false)
  for (const transition of outputs) {
    const isTrue: boolean = yield { kind: 'decide', node: id, transition }
    results[transition.index] = isTrue
    if (isTrue && node?.takesOnlyFirst) break
  }
  const taken = outputs.filter(({ index }) => results[index])
  const action = cause.kind === 'resume' && cause.node === id ? cause.action : undefined
  if (taken.length === 0 && !node?.isStop) throw noWayOn({ node: id, action })
  yield { kind: 'leave', node: id }
  for (const { name, chain } of taken) {
    if (chain !== undefined) yield { kind: 'runChain', node: id, chain, transition: name }
  }
  return { state: withNode(graph, before, id, { state: 'ready', results }), taken }
}

/** A merge that waits for what cannot come would keep the instance open without anybody to go on with it. */
function requireGoingOn(graph: RouteGraph, state: RouteState): void {
  if (suspendedNodes(graph, state).length > 0) return
  const waiting = [...graph.nodes.keys()].filter((id) => nodeState(graph, state, id).state === 'waiting')
  throw neverGoingOn({ waiting })
}
